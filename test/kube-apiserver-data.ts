/**
 * What kube-apiserver 1.34 stores as protobuf, encoded by its own code; a CRD in v1beta1 as its code has encoded those in
 * all its versions, up to 1.37; and a custom resource as it stores them.
 */
export const storedByKubeApiserver: Readonly<Record<string, Buffer>> = {
  '/registry/apiextensions.k8s.io/customresourcedefinitions/widgets.example.com': fromBase64(
    [
      'azhzAAozChdhcGlleHRlbnNpb25zLms4cy5pby92MRIYQ3VzdG9tUmVzb3VyY2VEZWZpbml0aW9uErIGCm4KE3dpZGdldHMuZXhh',
      'bXBsZS5jb20SABoAIgAqJDZmN2MxZjBlLThkOGEtNGM1My05YTU2LTBkOWEzYTNhMWYxMTIAOAFCCAilhNi7BhAAYh0KBG5vdGUS',
      'FWZyb20gYSBrdWJlLWFwaXNlcnZlchLmAwoLZXhhbXBsZS5jb20aMwoHd2lkZ2V0cxIGd2lkZ2V0GgJ3ZCIGV2lkZ2V0KgpXaWRn',
      'ZXRMaXN0Mgh3b3Jrc2hvcCIKTmFtZXNwYWNlZDqLAwoCdjEQARgBIscCCsQCCgASACIAKgZvYmplY3QyADoAUABgAHoAkAEA6gHo',
      'AQoEc3BlYxLfAQoAEgAiACoGb2JqZWN0MgA6AFAAYAB6AJABAOoBWAoFY29sb3ISTwoAEgAiACoGc3RyaW5nMgA6AEIICgYiYmx1',
      'ZSJQAGAAegCQAQCiAQgKBiJibHVlIqIBCQoHImdyZWVuIqIBBwoFInJlZCKoAgC4AgDAAgDqATsKBHNpemUSMwoAEgAiACoHaW50',
      'ZWdlcjIAOgBCAwoBM1AAWQAAAAAAAAAAYAB6AJABAKgCALgCAMACAKgCALgCAMACAOICHwoOc2VsZi5zaXplIDwgMTASCXRvbyBs',
      'YXJnZRoAKgDqATEKBnN0YXR1cxInCgASACIAKgZvYmplY3QyADoAUABgAHoAkAEAqAIAsAIBuAIAwAIAqAIAuAIAwAIAKgIKADIi',
      'CgVDb2xvchIGc3RyaW5nGgAiACgAMgsuc3BlYy5jb2xvcjgASg0KCy5zcGVjLmNvbG9ySgYKBE5vbmVQABrWAQpACg1OYW1lc0Fj',
      'Y2VwdGVkEgRUcnVlGggIpYTYuwYQACILTm9Db25mbGljdHMqEm5vIGNvbmZsaWN0cyBmb3VuZApZCgtFc3RhYmxpc2hlZBIEVHJ1',
      'ZRoICKWE2LsGEAAiFEluaXRpYWxOYW1lc0FjY2VwdGVkKiR0aGUgaW5pdGlhbCBuYW1lcyBoYXZlIGJlZW4gYWNjZXB0ZWQSMwoH',
      'd2lkZ2V0cxIGd2lkZ2V0GgJ3ZCIGV2lkZ2V0KgpXaWRnZXRMaXN0Mgh3b3Jrc2hvcBoCdjEaACIA',
    ].join(''),
  ),
  '/registry/apiextensions.k8s.io/customresourcedefinitions/gadgets.example.com': Buffer.from(
    '{"kind":"CustomResourceDefinition","apiVersion":"apiextensions.k8s.io/v1beta1","metadata":{"name":' +
      '"gadgets.example.com","uid":"0d3b1c52-9a0b-4a4e-8f0e-6c1d7a2b3c01","generation":1,"creationTimestamp":' +
      '"2025-01-02T03:04:07Z"},"spec":{"group":"example.com","version":"v1","names":{"plural":"gadgets","singular":' +
      '"gadget","kind":"Gadget","listKind":"GadgetList"},"scope":"Namespaced","validation":{"openAPIV3Schema":{"type":' +
      '"object","properties":{"spec":{"type":"object","properties":{"color":{"type":"string","default":"blue"}}}}}},' +
      '"subresources":{"status":{}},"versions":[{"name":"v1","served":true,"storage":true}],"additionalPrinterColumns":' +
      '[{"name":"Color","type":"string","JSONPath":".spec.color"}],"selectableFields":[{"jsonPath":".spec.color"}],' +
      '"conversion":{"strategy":"None"},"preserveUnknownFields":false},"status":{"conditions":[{"type":"NamesAccepted",' +
      '"status":"True","lastTransitionTime":"2025-01-02T03:04:07Z","reason":"NoConflicts","message":"no conflicts ' +
      'found"},{"type":"Established","status":"True","lastTransitionTime":"2025-01-02T03:04:07Z","reason":' +
      '"InitialNamesAccepted","message":"the initial names have been accepted"}],"acceptedNames":{"plural":"gadgets",' +
      '"singular":"gadget","kind":"Gadget","listKind":"GadgetList"},"storedVersions":["v1"]}}\n',
  ),
  '/registry/namespaces/old': fromBase64(
    [
      'azhzAAoPCgJ2MRIJTmFtZXNwYWNlEoMBCmkKA29sZBIAGgAiACokMGI5Y2JhNzQtMWE2My00YzIxLWExOWQtNmYwYjdjZmQzYTAx',
      'MgA4AEIAWiIKG2t1YmVybmV0ZXMuaW8vbWV0YWRhdGEubmFtZRIDb2xkWgwKBHRlYW0SBGJsdWUSDAoKa3ViZXJuZXRlcxoICgZB',
      'Y3RpdmUaACIA',
    ].join(''),
  ),
  '/registry/example.com/widgets/old/first': Buffer.from(
    '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"creationTimestamp":"2025-01-02T03:04:06Z",' +
      '"generation":1,"managedFields":[{"apiVersion":"example.com/v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":' +
      '{"f:color":{}}},"manager":"kubectl-create","operation":"Update","time":"2025-01-02T03:04:06Z"}],' +
      '"name":"first","namespace":"old","uid":"3c7d3f8e-3d5e-4a7f-8a39-3b5c0d1c2b01"},"spec":{"color":"red"}}\n',
  ),
};

function fromBase64(text: string): Buffer {
  return Buffer.from(text, 'base64');
}
