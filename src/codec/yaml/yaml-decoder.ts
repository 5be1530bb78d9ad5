import { goFloat, goQuote, type JsonObject, type JsonValue, limits, put } from '../../meta/index.ts';
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
const notAMap = 'yaml: map merge requires map or sequence of maps as the value';

/** Entries of a mapping under a key that tells `1` from `"1"`, as Go's untyped maps do. */
type Entries = Map<string, { readonly key: YamlScalar; readonly value: JsonValue }>;

/** A repeated key: where its value stands, and the key in Go's syntax. */
export interface RepeatedKey {
  readonly at: number;
  readonly key: string;
}

/**
 * Turns nodes into values in the order and by the rules of go-yaml 2 and of the step through JSON text that
 * `sigs.k8s.io/yaml` takes: integral floats become integers, infinities are refused, keys become strings.
 */
export class YamlDecoder {
  readonly repeated: RepeatedKey[] = [];
  readonly #budget = new AliasBudget();
  readonly #open = new Set<AliasNode>();
  #depth = 0;

  /** @throws {DecodeError} where the document has no JSON form, or is more than the limits allow. */
  decode(root: YamlNode): JsonValue {
    // Go counts the document as a node.
    this.#budget.spend();
    return this.#value(root);
  }

  #value(node: YamlNode): JsonValue {
    this.#budget.spend();
    switch (node.kind) {
      case 'scalar':
        return scalarValue(resolveNode(node));
      case 'alias':
        return this.#through(node, () => this.#value(node.target));
      case 'sequence':
        return this.#nested(() => node.children.map((child) => this.#value(child)));
      case 'mapping':
        return this.#nested(() => {
          const entries: Entries = new Map();
          this.#fill(node, entries);
          return toObject(entries);
        });
    }
  }

  #nested<T>(read: () => T): T {
    this.#depth += 1;
    if (this.#depth > limits.nestingDepthMax) {
      throw new DecodeError(`yaml: exceeded max depth of ${limits.nestingDepthMax}`);
    }
    const value = read();
    this.#depth -= 1;
    return value;
  }

  #through<T>(alias: AliasNode, read: () => T): T {
    if (this.#open.has(alias)) throw new DecodeError(`yaml: anchor '${alias.name}' value contains itself`);
    this.#open.add(alias);
    this.#budget.enterAlias();
    const value = read();
    this.#budget.leaveAlias();
    this.#open.delete(alias);
    return value;
  }

  #fill(node: MappingNode, entries: Entries): void {
    for (let index = 0; index + 1 < node.children.length; index += 2) {
      const key = node.children[index];
      const value = node.children[index + 1];
      if (key === undefined || value === undefined) continue;
      if (isMerge(key)) this.#merge(value, entries);
      else this.#add(key, value, entries);
    }
  }

  #add(keyNode: YamlNode, valueNode: YamlNode, entries: Entries): void {
    const key = this.#key(keyNode);
    const value = this.#value(valueNode);
    const id = `${key.type} ${key.value}`;
    if (entries.has(id) && this.repeated.length < limits.strictErrorsMax) {
      this.repeated.push({ at: valueNode.start, key: keyInGo(key) });
    }
    entries.set(id, { key, value });
  }

  #key(node: YamlNode): YamlScalar {
    const target = node.kind === 'alias' ? node.target : node;
    if (target.kind !== 'scalar') {
      throw new DecodeError(`yaml: invalid map key: ${goSyntax(this.#value(node))}`);
    }
    this.#budget.spend();
    if (node.kind === 'alias') this.#through(node, () => this.#budget.spend());
    return resolveNode(target);
  }

  #merge(node: YamlNode, entries: Entries): void {
    if (node.kind !== 'sequence') {
      this.#mergeOne(node, entries);
      return;
    }
    // The first of a list wins, so it is written last.
    for (const child of node.children.toReversed()) this.#mergeOne(child, entries);
  }

  #mergeOne(node: YamlNode, entries: Entries): void {
    const target = node.kind === 'alias' ? node.target : node;
    if (target.kind !== 'mapping') throw new DecodeError(notAMap);
    this.#budget.spend();
    const fill = () => this.#nested(() => this.#fill(target, entries));
    if (node.kind !== 'alias') {
      fill();
      return;
    }
    this.#through(node, () => {
      this.#budget.spend();
      fill();
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

function toObject(entries: Entries): JsonObject {
  const object: JsonObject = {};
  for (const { key, value } of entries.values()) put(object, keyText(key, value), value);
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

/** The shortest digits that make the same 32-bit float, as the YAML library prints floats. */
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
