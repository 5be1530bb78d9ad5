export {
  AdmissionAttributes,
  type AdmissionAttributesInit,
  type AdmissionScope,
  type Operation,
} from './attributes.ts';
export type { AdmissionObserver, AdmissionRecord } from './admission-record.ts';
export { AdmissionChain, type AdmissionPlugin } from './chain.ts';
export type { EquivalentResource, ObjectForms } from './object-forms.ts';
export type { AdmissionWrites, PluginParts } from './plugin-parts.ts';
export {
  checkPluginChoice,
  type PluginChoice,
  pluginNames,
  plugins,
  pluginsWithoutEffect,
} from './plugins.ts';
export type { ConfigurationSource } from './configurations.ts';
export { type AdmissionConfiguration, readAdmissionConfiguration } from './admission-configuration.ts';
export { isInScopes, type LimitedResource } from './quota/check-quotas.ts';
export { quantityText } from './quota/quota-amounts.ts';
export type { QuotaCounter } from './quota/quota-counter.ts';
export { counterNamed } from './quota/quota-counters.ts';
export { type KindSchema, type KindSchemas, PolicyTypeChecker } from './policy/type-checker.ts';
export type { ParamObjects, ParamSource } from './policy/params.ts';
