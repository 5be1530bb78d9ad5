import {
  atOnce,
  emptyDictionary,
  goFloat,
  goQuote,
  type JsonObject,
  type JsonValue,
  limits,
  put,
  type Steps,
} from '../../meta/index.ts';
import { DecodeError } from '../decode-error.ts';
import { parseNumber } from '../json/json-number.ts';
import { asBuffer, goUtf8 } from '../json/json-text.ts';
import { numberText } from '../json/json-writer.ts';
import { AliasBudget } from './alias-budget.ts';
import { goSyntax } from './go-syntax.ts';
import type { AliasNode, MappingNode, ScalarNode, YamlNode } from './yaml-nodes.ts';
import { resolveScalar, type YamlScalar } from './yaml-scalar.ts';

const binaryTag = 'tag:yaml.org,2002:binary';
const mergeTag = 'tag:yaml.org,2002:merge';
/** The number of mapping entries that one step decodes. */
const entriesInStep = 1_024;

const notAMap = 'yaml: map merge requires map or sequence of maps as the value';

/** Map entries by a key that distinguishes `1` from `"1"`, as Go's untyped maps do. */
type Entries = Map<string, { readonly key: YamlScalar; readonly value: JsonValue }>;

/** A duplicate key: the position of its value, and the key in Go's syntax. */
interface RepeatedKey {
  readonly at: number;
  readonly key: string;
}

/**
 * Decodes nodes to values in the order and by the rules of go-yaml 2 and of the conversion to JSON in
 * `sigs.k8s.io/yaml`: integral floats become integers, infinities are refused, keys become strings.
 */
export class YamlDecoder {
  readonly repeated: RepeatedKey[] = [];
  readonly #budget = new AliasBudget();
  readonly #open = new Set<AliasNode>();
  #depth = 0;

  /** @throws {DecodeError} if the document has no JSON form or exceeds the limits. */
  *decode(root: YamlNode): Steps<JsonValue> {
    // Go counts the document as a node.
    this.#budget.spend();
    return yield* this.#value(root);
  }

  *#value(node: YamlNode): Steps<JsonValue> {
    this.#budget.spend();
    switch (node.kind) {
      case 'scalar':
        return scalarValue(resolveNode(node));
      case 'alias':
        return yield* this.#through(node, () => this.#value(node.target));
      case 'sequence':
        return yield* this.#nested(() => this.#items(node.children));
      case 'mapping':
        return yield* this.#nested(() => this.#members(node));
    }
  }

  *#items(nodes: readonly YamlNode[]): Steps<JsonValue[]> {
    const items: JsonValue[] = [];
    for (const node of nodes) items.push(yield* this.#value(node));
    return items;
  }

  *#members(node: MappingNode): Steps<JsonObject> {
    const entries: Entries = new Map();
    yield* this.#fill(node, entries);
    return yield* toObject(entries);
  }

  *#nested<T>(read: () => Steps<T>): Steps<T> {
    this.#depth += 1;
    if (this.#depth > limits.nestingDepthMax) {
      throw new DecodeError(`yaml: exceeded max depth of ${limits.nestingDepthMax}`);
    }
    const value = yield* read();
    this.#depth -= 1;
    return value;
  }

  *#through<T>(alias: AliasNode, read: () => Steps<T>): Steps<T> {
    if (this.#open.has(alias)) throw new DecodeError(`yaml: anchor '${alias.name}' value contains itself`);
    this.#open.add(alias);
    this.#budget.enterAlias();
    const value = yield* read();
    this.#budget.leaveAlias();
    this.#open.delete(alias);
    return value;
  }

  *#fill(node: MappingNode, entries: Entries): Steps<void> {
    for (let index = 0; index + 1 < node.children.length; index += 2) {
      const key = node.children[index];
      const value = node.children[index + 1];
      if (key === undefined || value === undefined) continue;
      if (isMerge(key)) yield* this.#merge(value, entries);
      else yield* this.#add(key, value, entries);
      if (index % entriesInStep === 0) yield;
    }
  }

  *#add(keyNode: YamlNode, valueNode: YamlNode, entries: Entries): Steps<void> {
    const key = this.#key(keyNode);
    const value = yield* this.#value(valueNode);
    const id = `${key.type} ${key.value}`;
    if (entries.has(id) && this.repeated.length < limits.strictErrorsMax) {
      this.repeated.push({ at: valueNode.start, key: keyInGo(key) });
    }
    entries.set(id, { key, value });
  }

  #key(node: YamlNode): YamlScalar {
    const target = node.kind === 'alias' ? node.target : node;
    if (target.kind !== 'scalar') {
      throw new DecodeError(`yaml: invalid map key: ${goSyntax(atOnce(this.#value(node)))}`);
    }
    this.#budget.spend();
    if (node.kind === 'alias') atOnce(this.#through(node, () => this.#spent()));
    return resolveNode(target);
  }

  *#spent(): Steps<void> {
    this.#budget.spend();
    yield;
  }

  *#merge(node: YamlNode, entries: Entries): Steps<void> {
    if (node.kind !== 'sequence') {
      yield* this.#mergeOne(node, entries);
      return;
    }
    // The first of a list wins, so it is written last.
    for (const child of node.children.toReversed()) yield* this.#mergeOne(child, entries);
  }

  *#mergeOne(node: YamlNode, entries: Entries): Steps<void> {
    const target = node.kind === 'alias' ? node.target : node;
    if (target.kind !== 'mapping') throw new DecodeError(notAMap);
    this.#budget.spend();
    const fill = () => this.#nested(() => this.#fill(target, entries));
    if (node.kind !== 'alias') {
      yield* fill();
      return;
    }
    yield* this.#through(node, () => {
      this.#budget.spend();
      return fill();
    });
  }
}

function isMerge(node: YamlNode): boolean {
  return node.kind === 'scalar' && node.value === '<<' && (node.implicit || node.tag === mergeTag);
}

function resolveNode(node: ScalarNode): YamlScalar {
  if (node.tag === '' && !node.implicit) return { type: 'str', value: node.value };
  if (node.tag !== binaryTag) return resolveScalar(node.tag, node.value);
  const base64 = node.value.replace(/[\r\n]/g, '');
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('base64') !== base64) {
    throw new DecodeError('yaml: !!binary value contains invalid base64 data');
  }
  return { type: 'str', value: goUtf8(asBuffer(bytes)) };
}

function scalarValue(scalar: YamlScalar): JsonValue {
  if (scalar.type === 'int') return parseNumber(String(scalar.value)) ?? 0;
  if (scalar.type !== 'float') return scalar.value;
  if (Number.isNaN(scalar.value)) throw new DecodeError('json: unsupported value: NaN');
  if (!Number.isFinite(scalar.value)) {
    throw new DecodeError(`json: unsupported value: ${scalar.value > 0 ? '+' : '-'}Inf`);
  }
  return parseNumber(numberText(scalar.value)) ?? 0;
}

function* toObject(entries: Entries): Steps<JsonObject> {
  const object: JsonObject = entries.size > entriesInStep ? emptyDictionary() : {};
  let count = 0;
  for (const { key, value } of entries.values()) {
    put(object, keyText(key, value), value);
    count += 1;
    if (count % entriesInStep === 0) yield;
  }
  return object;
}

function keyText(key: YamlScalar, value: JsonValue): string {
  if (key.type === 'float') return floatKey(key.value);
  if (key.value !== null && !(typeof key.value === 'bigint' && key.value >= 2n ** 63n))
    return String(key.value);
  const type = key.value === null ? '%!s(<nil>)' : 'uint64';
  const text = key.value === null ? '<nil>' : `0x${key.value.toString(16)}`;
  throw new DecodeError(`unsupported map key of type: ${type}, key: ${text}, value: ${goSyntax(value)}`);
}

/** The shortest digits of a 32-bit float, as the YAML library prints floats. */
function floatKey(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  const single = Math.fround(value);
  if (!Number.isFinite(single)) return single > 0 ? '.inf' : '-.inf';
  for (let digits = 1; digits <= 9; digits += 1) {
    const short = Number(single.toPrecision(digits));
    if (Math.fround(short) === single) return goFloat(short);
  }
  return goFloat(single);
}

function keyInGo(key: YamlScalar): string {
  if (typeof key.value === 'string') return goQuote(key.value);
  if (typeof key.value === 'number') return goFloat(key.value);
  return key.value === null ? '<nil>' : String(key.value);
}
