import {
  isObject,
  type JsonObject,
  type JsonValue,
  limits,
  own,
  ownList,
  ownObject,
  ownString,
} from '../../meta/index.ts';
import { type OpenApiDocument, OpenApiDocumentError } from './openapi-document.ts';

const nodesMax = limits.openApiSchemaNodesMax;

/** The schemas of a document, by their names and by the kinds that they describe. */
export class Definitions {
  readonly #document: OpenApiDocument;
  readonly #byKind = new Map<string, string>();

  constructor(document: OpenApiDocument) {
    this.#document = document;
    for (const [name, schema] of Object.entries(document.definitions)) {
      const kinds = isObject(schema) ? (ownList(schema, 'x-kubernetes-group-version-kind') ?? []) : [];
      for (const one of kinds) if (isObject(one)) this.#note(one, name);
    }
  }

  /** The name of the schema of a kind; undefined where the document has none. */
  nameOf(group: string, version: string, kind: string): string | undefined {
    return this.#byKind.get(`${group}/${version}/${kind}`);
  }

  /** @throws {OpenApiDocumentError} where there is no such schema */
  get(name: string): JsonObject {
    const found = own(this.#document.definitions, name);
    if (isObject(found)) return found;
    throw new OpenApiDocumentError(`${this.#placeOf(name)} is no schema`);
  }

  /** The name that a node refers to; undefined for one that describes values itself. */
  targetOf(node: JsonObject): string | undefined {
    const ref = own(node, '$ref') ?? own(onlyPart(node) ?? {}, '$ref');
    return typeof ref === 'string' ? ref.slice(this.#document.refPrefix.length) : undefined;
  }

  /**
   * Looks at everything that a kind reaches, so that nothing is found to be wrong later.
   *
   * @throws {OpenApiDocumentError} for an invalid schema, a missing reference, and a schema that expands beyond the limit
   */
  check(name: string): void {
    const sizes = new Map<string, number>();
    const size = this.#sizeOf(name, { sizes, within: new Set() });
    if (size <= nodesMax) return;
    const place = this.#placeOf(name);
    throw new OpenApiDocumentError(`${place} has more than ${nodesMax} nodes with all that it refers to`);
  }

  #note(kind: JsonObject, name: string): void {
    const [group = '', version = '', own = ''] = ['group', 'version', 'kind'].map((key) =>
      ownString(kind, key),
    );
    const key = `${group}/${version}/${own}`;
    if (!this.#byKind.has(key)) this.#byKind.set(key, name);
  }

  #sizeOf(name: string, walk: Walk): number {
    const known = walk.sizes.get(name);
    if (known !== undefined) return known;
    if (walk.within.has(name)) return 1;
    const within = new Set(walk.within).add(name);
    const size = this.#nodeSize(this.get(name), this.#placeOf(name), { ...walk, within });
    walk.sizes.set(name, size);
    return size;
  }

  #nodeSize(node: JsonValue, place: string, walk: Walk): number {
    if (!isObject(node)) throw new OpenApiDocumentError(`${place} is no schema`);
    const target = this.#checkedTarget(node, place);
    if (target !== undefined) return this.#sizeOf(target, walk);
    checkNode(node, place);
    const below = childrenOf(node).map(([key, child]) => this.#nodeSize(child, `${place}.${key}`, walk));
    // Beyond the limit the number itself does not matter, and must not overflow.
    return Math.min(
      nodesMax + 1,
      below.reduce((sum, size) => sum + size, 1),
    );
  }

  #checkedTarget(node: JsonObject, place: string): string | undefined {
    const target = this.targetOf(node);
    if (target === undefined) return undefined;
    const ref = own(node, '$ref') ?? own(onlyPart(node) ?? {}, '$ref');
    if (ref === `${this.#document.refPrefix}${target}` && Object.hasOwn(this.#document.definitions, target))
      return target;
    throw new OpenApiDocumentError(
      `${place} refers to ${JSON.stringify(ref)}, which the document does not have`,
    );
  }

  #placeOf(name: string): string {
    return `${this.#document.definitionsPlace}[${JSON.stringify(name)}]`;
  }
}

interface Walk {
  readonly sizes: Map<string, number>;
  /** The schemas around this one: some refer to themselves. */
  readonly within: ReadonlySet<string>;
}

/** In OpenAPI 3 a `$ref` with siblings is wrapped in an `allOf`. */
function onlyPart(node: JsonObject): JsonObject | undefined {
  const parts = ownList(node, 'allOf') ?? [];
  const [part] = parts;
  return parts.length === 1 && isObject(part) ? part : undefined;
}

/** The schemas below a node, each with the way to it. */
function childrenOf(node: JsonObject): [string, JsonValue][] {
  const properties = Object.entries(ownObject(node, 'properties') ?? {}).map(
    ([name, child]): [string, JsonValue] => [`properties[${JSON.stringify(name)}]`, child],
  );
  const rest = ['items', 'additionalProperties'].flatMap((key): [string, JsonValue][] => {
    const child = own(node, key);
    return child === undefined || typeof child === 'boolean' ? [] : [[key, child]];
  });
  return [...properties, ...rest];
}

const types: ReadonlySet<JsonValue> = new Set(['object', 'array', 'string', 'integer', 'number', 'boolean']);
const listTypes: ReadonlySet<JsonValue> = new Set(['atomic', 'set', 'map']);

function checkNode(node: JsonObject, place: string): void {
  const refuse = (text: string) => {
    throw new OpenApiDocumentError(`${place}${text}`);
  };
  const type = own(node, 'type');
  if (type !== undefined && !types.has(type)) refuse(`.type is ${JSON.stringify(type)}, which is no type`);
  const properties = own(node, 'properties');
  if (properties !== undefined && !isObject(properties)) refuse('.properties is no object');
  const listType = own(node, 'x-kubernetes-list-type');
  if (listType !== undefined && !listTypes.has(listType)) {
    refuse(`["x-kubernetes-list-type"] is ${JSON.stringify(listType)}, not "atomic", "set" or "map"`);
  }
  if (listType !== 'map') return;
  const keys = ownList(node, 'x-kubernetes-list-map-keys') ?? [];
  const fine = keys.length > 0 && keys.every((key) => typeof key === 'string');
  if (!fine) refuse(' is a list of the type "map" without "x-kubernetes-list-map-keys"');
}
