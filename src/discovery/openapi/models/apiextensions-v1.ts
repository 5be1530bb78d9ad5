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
    spec: ref(`${home}DefinitionSpec`, 'The desired state of the kind.'),
    status: ref(`${home}DefinitionStatus`, 'The observed state. Set by the server.'),
  },
  { required: ['spec'], extensions: ofKind('apiextensions.k8s.io', 'v1', 'CustomResourceDefinition') },
);

const spec = model(
  'The desired state of a kind.',
  {
    conversion: ref(`${home}Conversion`, 'How objects are converted between versions.'),
    customFeatureGates: ref(
      `${group}CustomFeatureGates`,
      'Gates that enable and disable fields of the objects.',
    ),
    group: text('The API group: a DNS name. Objects are served under /apis/<group>/.'),
    names: ref(`${home}DefinitionNames`, 'The names of the resource and its kind.'),
    preserveUnknownFields: flag(
      'Must be false: to keep unknown fields, use x-kubernetes-preserve-unknown-fields in the schema.',
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
    categories: list(plainText, 'Groups of resources for kubectl get, such as "all".'),
    kind: text('The kind of one object, in CamelCase and singular.'),
    listKind: text('The kind of a list; <kind>List by default.'),
    plural: text('The resource name in URLs: lower case and plural.'),
    shortNames: list(plainText, 'Short names for kubectl, in lower case.'),
    singular: text('The singular name in lower case; by default the kind in lower case.'),
  },
  { required: ['plural', 'kind'] },
);

const version = model(
  'One version of a kind.',
  {
    additionalPrinterColumns: list(
      ref(`${home}ColumnDefinition`),
      'The columns of kubectl get besides the name; the age by default.',
    ),
    deprecated: flag('Requests to this version get a warning.'),
    deprecationWarning: text('The text of that warning, if not the default one.'),
    name: text('The name of the version: v1, v1beta1.'),
    schema: ref(`${home}Validation`, 'The schema of the objects in this version.'),
    selectableFields: list(ref(`${group}SelectableField`), 'The fields for field selectors. At most 8.'),
    served: flag('The version is served.'),
    storage: flag('Objects are stored in this version. Exactly one version must set it.'),
    subresources: ref(`${home}Subresources`, 'The subresources of the objects: /status and /scale.'),
  },
  { required: ['name', 'served', 'storage'] },
);

const column = model(
  'A column of kubectl get.',
  {
    description: text('The description of the column.'),
    format: text('The format of the value, such as name, date-time or int32.'),
    jsonPath: text('The path of the value: ".spec.replicas".'),
    name: text('The heading of the column.'),
    priority: int32('0 is always shown; columns above only with -o wide.'),
    type: text('integer, number, string, boolean or date.'),
  },
  { required: ['name', 'type', 'jsonPath'] },
);

const scale = model(
  'The fields of /scale.',
  {
    labelSelectorPath: text('The field with the label selector as a string, below .status or .spec.'),
    specReplicasPath: text('The field with the desired number of replicas, below .spec.'),
    statusReplicasPath: text('The field with the current number of replicas, below .status.'),
  },
  { required: ['specReplicasPath', 'statusReplicasPath'] },
);

const subresources = model('The subresources of the objects.', {
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
  'A feature gate of fields.',
  {
    default: flag('Whether a gate is on if enabled is not set.'),
    enabled: flag('Turns the gate on or off, in stages that allow it.'),
    fieldDeprecationWarning: text('The warning for requests that use a field of a deprecated gate.'),
    fieldPaths: list(plainText, 'The fields of the gate: ".spec.color".'),
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
      'The versions of ConversionReview that it supports; the first one that the server supports is used.',
    ),
  },
  { required: ['conversionReviewVersions'] },
);

const clientConfig = model('The address of a webhook: a URL or a service.', {
  caBundle: { ...text('The trusted CA certificates, in PEM.'), format: 'byte' },
  service: ref(`${group}ServiceReference`, 'The service of the webhook.'),
  url: text('Its URL, which starts with https://.'),
});

const service = model(
  'A service in a namespace.',
  {
    name: text('The name of the service.'),
    namespace: text('The namespace of the service.'),
    path: text('The path of the URL.'),
    port: int32('The port; 443 by default.'),
  },
  { required: ['namespace', 'name'] },
);

const status = model('The observed state of a kind.', {
  acceptedNames: ref(`${home}DefinitionNames`, 'The served names: the requested ones that were not taken.'),
  conditions: list(ref(`${home}DefinitionCondition`), 'The state of the definition.', mapList('type')),
  observedGeneration: int64('The last observed generation.'),
  storedVersions: list(
    plainText,
    'All versions in which objects were ever stored. A version must be removed here before it can be removed from the spec.',
  ),
});

const condition = model(
  'One aspect of the state of a definition.',
  {
    lastTransitionTime: ref(metaModels.time, 'When the status last changed.'),
    message: text('A human-readable description.'),
    observedGeneration: int64('The generation for which the condition was set.'),
    reason: text('The reason of the status, as one CamelCase word.'),
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
    'How objects are converted between versions.',
    {
      strategy: text('None only changes the apiVersion; Webhook calls a webhook.'),
      webhook: ref(`${group}WebhookConversion`, 'The webhook to call.'),
    },
    { required: ['strategy'] },
  ),
  [`${group}WebhookConversion`]: webhook,
  [`${group}WebhookClientConfig`]: clientConfig,
  [`${group}ServiceReference`]: service,
  [`${group}SelectableField`]: model(
    'A field for field selectors.',
    { jsonPath: text('The field: ".spec.color". A string, boolean or integer, outside metadata and lists.') },
    { required: ['jsonPath'] },
  ),
  [`${group}CustomFeatureGates`]: model(
    'Gates on fields, and the component that they belong to.',
    {
      component: text('The name of the component; by default the group of the kind.'),
      featureGates: list(ref(`${group}CustomFeatureGate`), 'The gates.', mapList('name')),
    },
    { required: ['featureGates'] },
  ),
  [`${group}CustomFeatureGate`]: featureGate,
  ...jsonSchemaModels,
};
