import type { JsonObject } from '../../../meta/index.ts';
import { jsonSchemaModels, schemaModel } from './json-schema-props.ts';
import { metaModels } from './meta-v1.ts';
import {
  flag,
  int32,
  int64,
  list,
  mapList,
  model,
  ofKind,
  plainText,
  ref,
  text,
  typeMeta,
} from './notation.ts';

const group = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.';
const home = `${group}CustomResource`;

const definition = model(
  'A new kind: its names, its versions, and the schema of its objects.',
  {
    ...typeMeta,
    metadata: ref(
      metaModels.objectMeta,
      'The metadata of the definition. The name must be <plural>.<group>.',
    ),
    spec: ref(`${home}DefinitionSpec`, 'What the kind shall be.'),
    status: ref(`${home}DefinitionStatus`, 'What is served of it. Set by the server.'),
  },
  { required: ['spec'], extensions: ofKind('apiextensions.k8s.io', 'v1', 'CustomResourceDefinition') },
);

const spec = model(
  'What a kind shall be.',
  {
    conversion: ref(`${home}Conversion`, 'How objects get from one version to another.'),
    customFeatureGates: ref(
      `${group}CustomFeatureGates`,
      'Gates that switch fields of the objects on and off.',
    ),
    group: text('The API group: a DNS name. Objects are served under /apis/<group>/.'),
    names: ref(`${home}DefinitionNames`, 'The names of the resource and its kind.'),
    preserveUnknownFields: flag(
      'Must be false: use x-kubernetes-preserve-unknown-fields in the schema where unknown fields shall be kept.',
    ),
    scope: text('Namespaced or Cluster.'),
    versions: list(
      ref(`${home}DefinitionVersion`),
      'All versions of the kind, in any order. Clients see them sorted: v2, v1, v2beta1, v1alpha1, then others by name.',
    ),
  },
  { required: ['group', 'names', 'scope', 'versions'] },
);

const names = model(
  'The names of a resource and its kind.',
  {
    categories: list(plainText, 'Groups of resources that kubectl get knows, such as "all".'),
    kind: text('The kind of one object, in CamelCase and singular.'),
    listKind: text('The kind of a list; <kind>List where it is not given.'),
    plural: text('The resource, as URLs name it: lower case and plural.'),
    shortNames: list(plainText, 'Short names for kubectl, in lower case.'),
    singular: text('The singular, in lower case; the kind in lower case where it is not given.'),
  },
  { required: ['plural', 'kind'] },
);

const version = model(
  'One version of a kind.',
  {
    additionalPrinterColumns: list(
      ref(`${home}ColumnDefinition`),
      'The columns that kubectl get shows besides the name; the age where there are none.',
    ),
    deprecated: flag('Requests to this version get a warning.'),
    deprecationWarning: text('The text of that warning, if not the usual one.'),
    name: text('The name of the version: v1, v1beta1.'),
    schema: ref(`${home}Validation`, 'The schema of the objects in this version.'),
    selectableFields: list(
      ref(`${group}SelectableField`),
      'Fields that field selectors may name. At most 8.',
    ),
    served: flag('The version is served.'),
    storage: flag('Objects are stored in this version. Exactly one version has it.'),
    subresources: ref(`${home}Subresources`, 'Which of /status and /scale the objects have.'),
  },
  { required: ['name', 'served', 'storage'] },
);

const column = model(
  'A column of kubectl get.',
  {
    description: text('What the column shows.'),
    format: text('The format of the value, such as name, date-time or int32.'),
    jsonPath: text('Where the value stands: ".spec.replicas".'),
    name: text('The heading of the column.'),
    priority: int32('0 is always shown; columns above only with -o wide.'),
    type: text('integer, number, string, boolean or date.'),
  },
  { required: ['name', 'type', 'jsonPath'] },
);

const scale = model(
  'Where /scale finds its numbers.',
  {
    labelSelectorPath: text('The field with the label selector, as text, below .status or .spec.'),
    specReplicasPath: text('The field with the number that is wanted, below .spec.'),
    statusReplicasPath: text('The field with the number that there is, below .status.'),
  },
  { required: ['specReplicasPath', 'statusReplicasPath'] },
);

const subresources = model('Which subresources the objects have.', {
  scale: ref(
    `${home}SubresourceScale`,
    '/scale: the number of replicas, as autoscalers and kubectl scale use it.',
  ),
  status: ref(
    `${home}SubresourceStatus`,
    '/status: writes to the object leave its status alone, and writes there change nothing else.',
  ),
});

const featureGate = model(
  'A gate that fields stand behind.',
  {
    default: flag('Whether a gate is on where enabled does not say.'),
    enabled: flag('Switches the gate on or off, in the stages in which that can be chosen.'),
    fieldDeprecationWarning: text('The warning for requests that use a field of a deprecated gate.'),
    fieldPaths: list(plainText, 'The fields behind the gate: ".spec.color".'),
    name: text('The name of the gate, in CamelCase.'),
    preRelease: text('The stage of the fields: alpha, beta, stable or deprecated.'),
  },
  { required: ['name', 'fieldPaths'] },
);

const webhook = model(
  'A webhook that converts objects.',
  {
    clientConfig: ref(`${group}WebhookClientConfig`, 'How to reach it.'),
    conversionReviewVersions: list(
      plainText,
      'The versions of ConversionReview that it understands; the first one that the server knows is used.',
    ),
  },
  { required: ['conversionReviewVersions'] },
);

const clientConfig = model('How a webhook is reached: by a URL or as a service.', {
  caBundle: { ...text('The certificates to trust, in PEM.'), format: 'byte' },
  service: ref(`${group}ServiceReference`, 'The service that it runs as.'),
  url: text('Its URL, which begins with https://.'),
});

const service = model(
  'A service in a namespace.',
  {
    name: text('The name of the service.'),
    namespace: text('The namespace of the service.'),
    path: text('The path of the URL.'),
    port: int32('The port; 443 where it is not given.'),
  },
  { required: ['namespace', 'name'] },
);

const status = model('What is served of a kind.', {
  acceptedNames: ref(
    `${home}DefinitionNames`,
    'The names that are served: those asked for that were not taken.',
  ),
  conditions: list(ref(`${home}DefinitionCondition`), 'The state of the definition.', mapList('type')),
  observedGeneration: int64('The generation that was last seen.'),
  storedVersions: list(
    plainText,
    'All versions that objects were ever stored in. One may be taken out of the spec once it is taken out of here.',
  ),
});

const condition = model(
  'One aspect of the state of a definition.',
  {
    lastTransitionTime: ref(metaModels.time, 'When the status last changed.'),
    message: text('The details, for people.'),
    observedGeneration: int64('The generation that this was seen in.'),
    reason: text('Why the status is what it is, in one CamelCase word.'),
    status: text('True, False or Unknown.'),
    type: text('Established, NamesAccepted, Terminating and others.'),
  },
  { required: ['type', 'status'] },
);

/** apiextensions.k8s.io/v1, with the feature gates of KEP-2608. */
export const apiextensionsV1: JsonObject = {
  [`${home}Definition`]: definition,
  [`${home}DefinitionSpec`]: spec,
  [`${home}DefinitionNames`]: names,
  [`${home}DefinitionVersion`]: version,
  [`${home}DefinitionStatus`]: status,
  [`${home}DefinitionCondition`]: condition,
  [`${home}ColumnDefinition`]: column,
  [`${home}Validation`]: model('The schema of the objects.', {
    openAPIV3Schema: ref(schemaModel, 'The schema, by which objects are pruned, defaulted and validated.'),
  }),
  [`${home}Subresources`]: subresources,
  [`${home}SubresourceStatus`]: { description: '/status has no settings.', type: 'object' },
  [`${home}SubresourceScale`]: scale,
  [`${home}Conversion`]: model(
    'How objects get from one version to another.',
    {
      strategy: text('None changes the apiVersion only; Webhook asks a webhook.'),
      webhook: ref(`${group}WebhookConversion`, 'The webhook to ask.'),
    },
    { required: ['strategy'] },
  ),
  [`${group}WebhookConversion`]: webhook,
  [`${group}WebhookClientConfig`]: clientConfig,
  [`${group}ServiceReference`]: service,
  [`${group}SelectableField`]: model(
    'A field that field selectors may name.',
    { jsonPath: text('The field: ".spec.color". A string, boolean or integer, outside metadata and lists.') },
    { required: ['jsonPath'] },
  ),
  [`${group}CustomFeatureGates`]: model(
    'Gates on fields, and the component that they belong to.',
    {
      component: text('The name of the component; the group of the kind where it is not given.'),
      featureGates: list(ref(`${group}CustomFeatureGate`), 'The gates.', mapList('name')),
    },
    { required: ['featureGates'] },
  ),
  [`${group}CustomFeatureGate`]: featureGate,
  ...jsonSchemaModels,
};
