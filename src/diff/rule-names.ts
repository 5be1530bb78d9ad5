import { crdRules } from './crd-rules/index.ts';
import { schemaRules } from './rules/index.ts';

/** Every rule as a configuration names it. */
export const ruleNames: readonly string[] = [
  ...crdRules.keys(),
  'selectable-fields',
  'subresources',
  'fields',
  ...schemaRules.keys(),
];
