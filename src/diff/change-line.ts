import { isObject, type JsonObject, type KubeObject, own, ownList, ownObject } from '../meta/index.ts';

/** What is known of where a CRD stands. */
interface Placed {
  readonly object: KubeObject;
  /** The line on which the CRD begins. */
  readonly line: number;
  /** The line of a field, by the keys and indexes that lead to it. */
  readonly lineAt?: (path: readonly string[]) => number;
}

/** The line of the field that a change is about, or of what it would stand in; without a version, that of the CRD. */
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

/** `.spec.ports[]` in a schema, as far as it goes there: `['properties', 'spec', 'properties', 'ports', 'items']`. */
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
  /** How much of the path it takes. */
  readonly length: number;
}

/** Names may have dots in them: the longest that is there counts. */
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
