export {
  AdmissionAttributes,
  type AdmissionAttributesInit,
  type AdmissionScope,
  type Operation,
} from './attributes.ts';
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
export type { ParamObjects, ParamSource } from './policy/params.ts';
