import { type JsonObject, own, ownList, ownObject } from '../../meta/index.ts';
import { breaking, type Difference, safe } from '../change.ts';
import type { SchemaPair } from '../schema-rule.ts';

/** Required fields; a field with a default is always present. */
export function required({ before, after }: SchemaPair): Difference[] {
  const [was, is] = [names(before), names(after)];
  const added = is.filter((name) => !was.includes(name));
  return [
    ...added.map((name) =>
      hasDefault(after, name)
        ? safe(`${name} is required now, and has a default`)
        : breaking(`${name} is required now`),
    ),
    ...was.filter((name) => !is.includes(name)).map((name) => safe(`${name} is not required any more`)),
  ];
}

function names(schema: JsonObject): string[] {
  return (ownList(schema, 'required') ?? []).map(String);
}

function hasDefault(schema: JsonObject, name: string): boolean {
  const property = ownObject(ownObject(schema, 'properties') ?? {}, name) ?? {};
  return own(property, 'default') !== undefined;
}
