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

/** Everything that is compared of a field; a new aspect is a file and a line here. */
export const schemaRules: readonly SchemaRule[] = [
  type,
  nullable,
  required,
  enumeration,
  bounds,
  restrictions,
  defaultValue,
  topology,
  unknownFields,
  celRules,
];
