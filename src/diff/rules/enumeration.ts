import { equal, goJson, type JsonValue, ownList } from '../../meta/index.ts';
import { breaking, type Difference, safe } from '../change.ts';
import type { SchemaPair } from '../schema-rule.ts';

/** The values of an enum. */
export function enumeration({ before, after }: SchemaPair): Difference[] {
  const [was, is] = [ownList(before, 'enum'), ownList(after, 'enum')];
  if (was === undefined && is === undefined) return [];
  if (was === undefined) return [breaking(`only ${texts(is ?? [])} may be given now`)];
  if (is === undefined) return [safe('every value may be given now')];
  const gone = missing(was, is);
  const added = missing(is, was);
  return [
    ...(gone.length > 0 ? [breaking(`${texts(gone)} may not be given any more`)] : []),
    ...(added.length > 0 ? [safe(`${texts(added)} may be given, too`)] : []),
  ];
}

function missing(from: readonly JsonValue[], others: readonly JsonValue[]): JsonValue[] {
  return from.filter((value) => !others.some((other) => equal(value, other)));
}

function texts(values: readonly JsonValue[]): string {
  return values.map((value) => goJson(value)).join(', ');
}
