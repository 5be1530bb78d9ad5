import { type JsonObject, own } from '../../meta/index.ts';
import { breaking, type Difference, safe } from '../change.ts';
import type { SchemaPair } from '../schema-rule.ts';

/** Whether unknown fields are kept. */
export function unknownFields({ before, after }: SchemaPair): Difference[] {
  const [was, is] = [keeps(before), keeps(after)];
  if (was === is) return [];
  return [is ? safe('keeps unknown fields now') : breaking('drops unknown fields now')];
}

export function keeps(schema: JsonObject): boolean {
  return own(schema, 'x-kubernetes-preserve-unknown-fields') === true;
}
