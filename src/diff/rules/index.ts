import type { SchemaRule } from '../schema-rule.ts';
import { bounds } from './bounds.ts';
import { celRules } from './cel-rules.ts';
import { defaultValue } from './default-value.ts';
import { enumeration } from './enumeration.ts';
import { nullable } from './nullable.ts';
import { required } from './required.ts';
import { restrictions } from './restrictions.ts';
import { topology } from './topology.ts';
import { type } from './type.ts';
import { unknownFields } from './unknown-fields.ts';

/** All rules about fields, by their names in the configuration; a new one is a file and a line here. */
export const schemaRules: ReadonlyMap<string, SchemaRule> = new Map([
  ['type', type],
  ['nullable', nullable],
  ['required', required],
  ['enum', enumeration],
  ['bounds', bounds],
  ['restrictions', restrictions],
  ['default', defaultValue],
  ['topology', topology],
  ['unknown-fields', unknownFields],
  ['cel-rules', celRules],
]);
