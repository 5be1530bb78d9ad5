import { isObject, type JsonObject, type KubeObject, own, ownList, ownObject } from '../meta/index.ts';

/** The source locations of a CRD. */
interface Placed {
  readonly object: KubeObject;
  /** The first line of the CRD. */
  readonly line: number;
  /** The line of a field, by its path of keys and indexes. */
  readonly lineAt?: (path: readonly string[]) => number;
}

/** The line of the changed field, or of its nearest existing parent; without a version, that of the CRD. */
export function changeLine(
  { object, line, lineAt }: Placed,
  { version, path }: { readonly version: string; readonly path: string },
): number {
  const versions = ownList(ownObject(object, 'spec') ?? {}, 'versions') ?? [];
  const index = versions.findIndex((one) => isObject(one) && own(one, 'name') === version);
  const found = versions[index];
  if (lineAt === undefined || !isObject(found)) return line;
  const steps = ['spec', 'versions', String(index)];
  const schema = ownObject(ownObject(found, 'schema') ?? {}, 'openAPIV3Schema');
  if (schema === undefined || path === '') return lineAt(steps);
  return lineAt([...steps, 'schema', 'openAPIV3Schema', ...fieldSteps(schema, path)]);
}

/**
 * The schema path of `.spec.ports[]`, as far as it exists: `['properties', 'spec', 'properties', 'ports', 'items']`.
 */
function fieldSteps(root: JsonObject, path: string): string[] {
  const steps: string[] = [];
  let schema = root;
  let rest = path;
  while (rest !== '') {
    const next = nextStep(schema, rest);
    if (next === undefined) return steps;
    steps.push(...next.steps);
    schema = next.schema;
    rest = rest.slice(next.length);
  }
  return steps;
}

interface Step {
  readonly steps: readonly string[];
  readonly schema: JsonObject;
  /** The number of characters it consumes. */
  readonly length: number;
}

/** Names may contain dots: the longest existing one is used. */
function nextStep(schema: JsonObject, rest: string): Step | undefined {
  for (const [text, keyword] of [
    ['[]', 'items'],
    ['.*', 'additionalProperties'],
  ] as const) {
    const inner = ownObject(schema, keyword);
    if (inner !== undefined && rest.startsWith(text)) {
      return { steps: [keyword], schema: inner, length: text.length };
    }
  }
  const properties = ownObject(schema, 'properties') ?? {};
  const isNext = (name: string) =>
    rest.startsWith(`.${name}`) && /^(?:[.[]|$)/.test(rest.slice(name.length + 1));
  const [name] = Object.keys(properties)
    .filter(isNext)
    .sort((a, b) => b.length - a.length);
  const inner = name === undefined ? undefined : ownObject(properties, name);
  if (name === undefined || inner === undefined) return undefined;
  return { steps: ['properties', name], schema: inner, length: name.length + 1 };
}
