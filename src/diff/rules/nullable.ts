import { own } from '../../meta/index.ts';
import { breaking, type Difference, safe } from '../change.ts';
import type { SchemaPair } from '../schema-rule.ts';

/** Whether null is allowed. */
export function nullable({ before, after }: SchemaPair): Difference[] {
  const [was, is] = [own(before, 'nullable') === true, own(after, 'nullable') === true];
  if (was === is) return [];
  return [is ? safe('may be null now') : breaking('may not be null any more')];
}
