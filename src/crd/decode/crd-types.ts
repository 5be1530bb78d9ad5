import {
  always,
  bool,
  bytes,
  int32,
  int64,
  list,
  omitEmpty,
  pointer,
  string,
  struct,
  time,
} from './go-type.ts';
import { jsonSchemaProps } from './json-schema-props.ts';

const names = struct('CustomResourceDefinitionNames', () => ({
  plural: always(string()),
  singular: omitEmpty(string()),
  shortNames: omitEmpty(list(string())),
  kind: always(string()),
  listKind: omitEmpty(string()),
  categories: omitEmpty(list(string())),
}));

const validation = struct('CustomResourceValidation', () => ({ openAPIV3Schema: pointer(jsonSchemaProps) }));

const scale = struct('CustomResourceSubresourceScale', () => ({
  specReplicasPath: always(string()),
  statusReplicasPath: always(string()),
  labelSelectorPath: pointer(string()),
}));

const subresources = struct('CustomResourceSubresources', () => ({
  status: pointer(struct('CustomResourceSubresourceStatus', () => ({}))),
  scale: pointer(scale),
}));

const column = struct('CustomResourceColumnDefinition', () => ({
  name: always(string()),
  type: always(string()),
  format: omitEmpty(string()),
  description: omitEmpty(string()),
  priority: omitEmpty(int32),
  jsonPath: always(string()),
}));

const selectableField = struct('SelectableField', () => ({ jsonPath: always(string()) }));

const version = struct('CustomResourceDefinitionVersion', () => ({
  name: always(string()),
  served: always(bool),
  storage: always(bool),
  deprecated: omitEmpty(bool),
  deprecationWarning: pointer(string()),
  schema: pointer(validation),
  subresources: pointer(subresources),
  additionalPrinterColumns: omitEmpty(list(column)),
  selectableFields: omitEmpty(list(selectableField)),
}));

const service = struct('ServiceReference', () => ({
  namespace: always(string()),
  name: always(string()),
  path: pointer(string()),
  port: pointer(int32),
}));

const clientConfig = struct('WebhookClientConfig', () => ({
  url: pointer(string()),
  service: pointer(service),
  caBundle: omitEmpty(bytes),
}));

const webhook = struct('WebhookConversion', () => ({
  clientConfig: pointer(clientConfig),
  conversionReviewVersions: always(list(string())),
}));

const conversion = struct('CustomResourceConversion', () => ({
  strategy: always(string('v1.ConversionStrategyType')),
  webhook: pointer(webhook),
}));

/** A gate on fields of the custom resource (KEP-2608). */
const featureGate = struct('CustomResourceDefinitionFeatureGate', () => ({
  name: always(string()),
  enabled: pointer(bool),
  default: pointer(bool),
  preRelease: always(string()),
  fieldDeprecationWarning: pointer(string()),
  fieldPaths: always(list(string())),
}));

const customFeatureGates = struct('CustomResourceDefinitionFeatureGates', () => ({
  featureGates: always(list(featureGate)),
  component: pointer(string()),
}));

/** `spec` of a CustomResourceDefinition. */
export const crdSpec = struct('CustomResourceDefinitionSpec', () => ({
  group: always(string()),
  names: always(names),
  scope: always(string('v1.ResourceScope')),
  versions: always(list(version)),
  conversion: pointer(conversion),
  preserveUnknownFields: omitEmpty(bool),
  customFeatureGates: pointer(customFeatureGates),
}));

const condition = struct('CustomResourceDefinitionCondition', () => ({
  type: always(string('v1.CustomResourceDefinitionConditionType')),
  status: always(string('v1.ConditionStatus')),
  lastTransitionTime: always(time),
  reason: omitEmpty(string()),
  message: omitEmpty(string()),
  observedGeneration: omitEmpty(int64),
}));

/** `status` of a CustomResourceDefinition. */
export const crdStatus = struct('CustomResourceDefinitionStatus', () => ({
  conditions: always(list(condition)),
  acceptedNames: always(names),
  storedVersions: always(list(string())),
  observedGeneration: omitEmpty(int64),
}));
