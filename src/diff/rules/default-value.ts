import { equal, goJson, own } from '../../meta/index.ts';
import { breaking, type Difference } from '../change.ts';
import type { SchemaPair } from '../schema-rule.ts';

/** Defaults: they change the meaning of objects without the field, including stored ones. */
export function defaultValue({ before, after }: SchemaPair): Difference[] {
  const [was, is] = [own(before, 'default'), own(after, 'default')];
  if (was === undefined && is === undefined) return [];
  if (was === undefined) return [breaking(`has the default ${goJson(is ?? null)} now where it was absent`)];
  if (is === undefined) return [breaking(`has no default any more; it was ${goJson(was)}`)];
  return equal(was, is) ? [] : [breaking(`default changed from ${goJson(was)} to ${goJson(is)}`)];
}
