import { isObject, type JsonObject, type JsonValue, own, ownObject } from '../meta/index.ts';

/**
 * The path of a field from the root of a resource; map entries are named like fields, and {@link everyEntry} stands for
 * all map entries and list items.
 */
export type FieldSteps = readonly string[];

/** The step into all map entries and list items. */
export const everyEntry = '[*]';

/** The withheld defaults at and below a node. */
export interface WithheldDefaults {
  /** True if the node's own default is withheld. */
  readonly here: boolean;
  readonly below: ReadonlyMap<string, WithheldDefaults>;
}

interface Building extends WithheldDefaults {
  here: boolean;
  readonly below: Map<string, Building>;
}

/** The paths as a tree; undefined without paths. */
export function withheldDefaults(paths: readonly FieldSteps[]): WithheldDefaults | undefined {
  if (paths.length === 0) return undefined;
  const root: Building = { here: false, below: new Map() };
  for (const path of paths) {
    let node = root;
    for (const step of path) {
      const next = node.below.get(step) ?? { here: false, below: new Map() };
      node.below.set(step, next);
      node = next;
    }
    node.here = true;
  }
  return root;
}

/**
 * The prefixes of the paths at which a schema has a default, in an order that depends only on them: all defaults to
 * withhold. Deeper defaults have no effect, because their parents are then missing.
 */
export function pathsWithDefaults(schema: JsonObject, paths: readonly FieldSteps[]): FieldSteps[] {
  const found = paths.filter((path) => hasDefaultOnTheWay(schema, path));
  const keyed = new Map(found.map((path) => [JSON.stringify(path), path]));
  return [...keyed].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, path]) => path);
}

function hasDefaultOnTheWay(schema: JsonObject, path: FieldSteps): boolean {
  let node: JsonObject | undefined = schema;
  for (const step of path) {
    node = childOf(node, step);
    if (node === undefined) return false;
    if ((node['default'] ?? null) !== null) return true;
  }
  return false;
}

function childOf(node: JsonObject, step: string): JsonObject | undefined {
  if (step === everyEntry) return ownObject(node, 'items') ?? ownObject(node, 'additionalProperties');
  const property = own(ownObject(node, 'properties') ?? {}, step);
  return isObject(property) ? property : ownObject(node, 'additionalProperties');
}

/** The withheld defaults below a child. */
export function withheldBelow(
  withheld: WithheldDefaults | undefined,
  step: string,
): WithheldDefaults | undefined {
  return withheld?.below.get(step) ?? withheld?.below.get(everyEntry);
}

/** Removes withheld fields from a parent's default, in place. */
export function takeWithheld(value: JsonValue, withheld: WithheldDefaults | undefined): void {
  if (withheld === undefined || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    const each = withheld.below.get(everyEntry);
    for (const item of value) takeWithheld(item, each);
    return;
  }
  if (!isObject(value)) return;
  for (const key of Object.keys(value)) {
    const child = withheldBelow(withheld, key);
    if (child?.here === true) delete value[key];
    else takeWithheld(own(value, key) ?? null, child);
  }
}
