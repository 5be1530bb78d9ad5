import { isObject, type JsonObject, own, ownObject } from '../../meta/index.ts';
import { textOf } from '../spec-view.ts';

/** The result of following a dotted path. */
interface FoundField {
  /** The field names on the path. */
  readonly steps: readonly string[];
  /** The schema of the field; undefined if any value is allowed. */
  readonly schema: JsonObject | undefined;
}

/** A token: a single-quoted string, which may contain the delimiters and escaped quotes; a delimiter; a name. */
const token = /'[^']*(?:(?<=\\)'[^']*)*(?:(?<!\\)'|$)|[.[\]]|[^.[\]]+/gsu;

/** The allowed path syntax. */
interface PathSyntax {
  /** Also accepts `[*]` for each element of a list: `.spec.ports[*].name`. */
  readonly lists?: boolean;
}

const noField = 'does not refer to a valid field';

/**
 * Follows a path such as `.spec.color` through the schema of a version. Brackets are refused except for lists; map
 * entries are named like fields. Returns an error message if the path does not exist.
 */
export function followPath(
  jsonPath: string,
  root: JsonObject,
  { lists = false }: PathSyntax = {},
): FoundField | string {
  const tokens = jsonPath.match(token) ?? [];
  const steps: string[] = [];
  let schema: JsonObject | undefined = root;
  for (let index = 0; index < tokens.length; ) {
    if (lists && steps.length > 0 && tokens.slice(index, index + 3).join('') === '[*]') {
      schema = itemsOf(schema);
      if (schema === undefined) return noField;
      steps.push(`${steps.pop() ?? ''}[*]`);
      index += 3;
      continue;
    }
    const delimiter = tokens[index] ?? '';
    if (delimiter === '[') return 'array notation is not allowed';
    if (delimiter !== '.') return `expected [ or . but got: ${delimiter}`;
    const name = tokens[index + 1];
    if (name === undefined) return 'unexpected end of JSON path';
    const next: Below | undefined = schema === undefined ? undefined : schemaBelow(schema, name);
    if (next === undefined) return noField;
    schema = next.schema;
    steps.push(name);
    index += 2;
  }
  return { steps, schema };
}

function itemsOf(schema: JsonObject | undefined): JsonObject | undefined {
  return schema === undefined ? undefined : ownObject(schema, 'items');
}

/** The schema of a field; undefined if any value is allowed. */
type Below = Pick<FoundField, 'schema'>;

function schemaBelow(schema: JsonObject, name: string): Below | undefined {
  const properties = ownObject(schema, 'properties');
  if (properties !== undefined && Object.keys(properties).length > 0) {
    const property = ownObject(properties, name);
    return property === undefined ? undefined : { schema: property };
  }
  const values = own(schema, 'additionalProperties');
  if (values === undefined || values === null) return undefined;
  return { schema: isObject(values) ? values : undefined };
}

/** The schemas on the path, including the first, as far as it can be followed. */
export function schemasAlong(steps: readonly string[], root: JsonObject): JsonObject[] {
  const found = [root];
  for (const step of steps) {
    const next = schemaBelow(found[found.length - 1] ?? root, step)?.schema;
    if (next === undefined) break;
    found.push(next);
  }
  return found;
}

/** The type of the field; empty if it has none. */
export function typeOf({ schema }: FoundField): string {
  return schema === undefined ? '' : textOf(schema, 'type');
}
