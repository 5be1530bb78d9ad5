import { isObject, type JsonObject, own, ownList, ownObject } from '../meta/index.ts';
import { breaking, type Difference, safe } from './change.ts';
import { schemaRules } from './rules/index.ts';
import { keeps } from './rules/unknown-fields.ts';

/** A difference and its field: `.spec.ports[].name`. */
type PlacedDifference = Difference & { readonly path: string; readonly rule: string };

/** All differences of two schemas, parents before children. */
export function compareSchemas(before: JsonObject, after: JsonObject, path = ''): PlacedDifference[] {
  const here = [...schemaRules].flatMap(([rule, compare]) =>
    compare({ before, after }).map((difference) => ({ ...difference, rule, path })),
  );
  return [
    ...here,
    ...compareProperties(before, after, path),
    ...compareInner(before, after, { keyword: 'items', path: `${path}[]` }),
    ...compareInner(before, after, { keyword: 'additionalProperties', path: `${path}.*` }),
  ];
}

function compareProperties(before: JsonObject, after: JsonObject, path: string): PlacedDifference[] {
  const [was, is] = [properties(before), properties(after)];
  const gone = [...was.keys()].filter((name) => !is.has(name));
  const added = [...is.keys()].filter((name) => !was.has(name));
  const common = [...was].flatMap(([name, old]) => {
    const present = is.get(name);
    return present === undefined ? [] : compareSchemas(old, present, `${path}.${name}`);
  });
  return [
    ...gone.map((name) => ({ ...removal(after), rule: 'fields', path: `${path}.${name}` })),
    ...added.map((name) => ({ ...addition(before), rule: 'fields', path: `${path}.${name}` })),
    ...common,
  ];
}

function removal(parent: JsonObject): Difference {
  return keeps(parent)
    ? safe('field is gone; its values are kept as unknown fields')
    : breaking('field is gone; its values are dropped');
}

function addition(parent: JsonObject): Difference {
  return keeps(parent) || own(parent, 'additionalProperties') !== undefined
    ? breaking('field is new, where any value was kept before')
    : safe('field is new');
}

function properties(schema: JsonObject): Map<string, JsonObject> {
  const entries = Object.entries(ownObject(schema, 'properties') ?? {});
  return new Map(entries.flatMap(([name, value]) => (isObject(value) ? [[name, value] as const] : [])));
}

/** The schema of the items of a list, or of the values of a map. */
function compareInner(
  before: JsonObject,
  after: JsonObject,
  { keyword, path }: { readonly keyword: string; readonly path: string },
): PlacedDifference[] {
  const [was, is] = [ownObject(before, keyword), ownObject(after, keyword)];
  if (was !== undefined && is !== undefined) return compareSchemas(was, is, path);
  if (was === undefined && is === undefined) return [];
  const known = ownList(before, keyword) ?? own(before, keyword);
  if (is !== undefined)
    return [
      { ...(known === true ? breaking(`${keyword} is new`) : safe(`${keyword} is new`)), rule: 'type', path },
    ];
  return [{ ...breaking(`${keyword} is gone`), rule: 'type', path }];
}
