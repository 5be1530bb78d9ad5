import { declare, type DeclaredType, type Expr } from '../../cel/index.ts';
import type { SelectableField } from '../../crd/index.ts';
import { type FieldText, type JsonObject, type JsonValue, put, isObject } from '../../meta/index.ts';
import { escapeName } from '../../schema/index.ts';

/** A field that filters can use. */
export interface FilterField {
  readonly fieldPath: string;
  /** Its path in expressions: `['spec', 'color']`. */
  readonly names: readonly string[];
  /** The property names of its path in the bindings. */
  readonly properties: readonly string[];
  readonly valueType: 'string' | 'integer' | 'boolean';
  /** True for a path through lists: its value is the list of all values. */
  readonly isList: boolean;
}

/** String length that cost estimation assumes; names and addresses are shorter. */
const textBytesEstimated = 256;
const listElementsEstimated = 64;

/** The fields by their names in expressions, and in objects. */
interface Group {
  readonly property: string;
  readonly below: Map<string, Group | FilterField>;
}

/** The fields of a version that filters can use, and their CEL types. */
export class FilterFields implements Iterable<FilterField> {
  readonly #fields: readonly FilterField[];
  readonly #root: Group = { property: '', below: new Map() };

  constructor(selectable: readonly SelectableField[], { namespaced }: { readonly namespaced: boolean }) {
    const always = ['metadata.name', ...(namespaced ? ['metadata.namespace'] : [])];
    const all = [...always.map((fieldPath) => ({ fieldPath })), ...selectable];
    const known = all.map(filterField).filter((field) => field !== undefined);
    this.#fields = known.filter((field) => place(this.#root, field, field.names));
    for (const field of this.#fields) place(this.#root, field, field.properties.map(nameAfterDot));
  }

  [Symbol.iterator](): Iterator<FilterField> {
    return this.#fields[Symbol.iterator]();
  }

  /** The CEL variables: objects with the selectable fields. */
  variables(): Record<string, DeclaredType> {
    return Object.fromEntries([...this.#root.below].map(([name, node]) => [name, declared(node, name)]));
  }

  /** True for the name of a variable. */
  isVariable(name: string): boolean {
    return this.#root.below.has(name);
  }

  /** The field that an expression reads or tests with `has()`; undefined for other expressions. */
  fieldOf(expr: Expr): FilterField | undefined {
    let node: Group | FilterField | undefined = this.#root;
    for (const name of namesOf(expr) ?? ['']) {
      node = node !== undefined && 'below' in node ? node.below.get(name) : undefined;
    }
    return node === undefined || 'below' in node ? undefined : node;
  }

  /** The bindings for an object; absent and empty fields are left out. */
  bindings(fields: readonly FilterField[], textOf: (fieldPath: string) => FieldText): JsonObject {
    const bound: JsonObject = {};
    for (const [name, node] of this.#root.below) if ('below' in node) put(bound, name, {});
    for (const field of fields) {
      const value = boundValue(field, textOf(field.fieldPath));
      const path = [field.names[0] ?? '', ...field.properties.slice(1)];
      if (value !== undefined) putAt(bound, path, value);
    }
    return bound;
  }
}

/** Undefined for a path with a property that CEL cannot name. */
function filterField({ fieldPath, valueType = 'string' }: SelectableField): FilterField | undefined {
  const properties = fieldPath.replaceAll('[*]', '').split('.');
  const names = properties.map(escapeName).filter((name) => name !== undefined);
  if (names.length < properties.length) return undefined;
  return { fieldPath, names, properties, valueType, isList: fieldPath.includes('[*]') };
}

/** Reserved words that cannot be field names; other reserved words are only reserved at the start of an expression. */
const keywords: ReadonlySet<string> = new Set(['true', 'false', 'null', 'in']);

/** `metadata.namespace` is read as well as `metadata.__namespace__`. */
function nameAfterDot(property: string, at: number): string {
  const isPlain = at > 0 && /^[A-Za-z_]\w*$/.test(property) && !keywords.has(property);
  return isPlain ? property : (escapeName(property) ?? property);
}

/** False if another field is in the way. */
function place(root: Group, field: FilterField, names: readonly string[]): boolean {
  const { properties } = field;
  let group = root;
  for (const [at, name] of names.slice(0, -1).entries()) {
    const next = group.below.get(name) ?? { property: properties[at] ?? name, below: new Map() };
    if (!('below' in next)) return false;
    group.below.set(name, next);
    group = next;
  }
  const last = names.at(-1) ?? '';
  if (group.below.has(last)) return false;
  group.below.set(last, field);
  return true;
}

function declared(node: Group | FilterField, path: string): DeclaredType {
  if (!('below' in node)) {
    const scalar = scalars[node.valueType];
    return node.isList ? declare.list(scalar, { maxElements: listElementsEstimated }) : scalar;
  }
  const fields = [...node.below].map(([name, below]) => {
    const property = 'below' in below ? below.property : (below.properties.at(-1) ?? name);
    return [name, { property, type: declared(below, `${path}.${name}`) }] as const;
  });
  return declare.object(`filter.${path}`, fields);
}

const scalars = Object.freeze({
  string: declare.string({ maxElements: textBytesEstimated }),
  integer: declare.int(),
  boolean: declare.bool(),
});

function namesOf(expr: Expr): readonly string[] | undefined {
  if (expr.kind === 'ident') return [expr.name];
  if (expr.kind !== 'select') return undefined;
  const before = namesOf(expr.operand);
  return before && [...before, expr.field];
}

function boundValue({ valueType, isList }: FilterField, text: FieldText): JsonValue | undefined {
  const texts = typeof text === 'string' ? [text] : text;
  const values = texts.map((one) => scalarOf(valueType, one)).filter((value) => value !== undefined);
  return isList ? values : values[0];
}

/** Undefined for an empty text, and for an invalid value of the type. */
function scalarOf(type: FilterField['valueType'], text: string): JsonValue | undefined {
  if (text === '') return undefined;
  if (type === 'string') return text;
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  if (!/^-?\d{1,19}$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text);
}

function putAt(object: JsonObject, properties: readonly string[], value: JsonValue): void {
  let at = object;
  for (const property of properties.slice(0, -1)) {
    const below = Object.hasOwn(at, property) ? at[property] : undefined;
    const next: JsonObject = isObject(below) ? below : {};
    put(at, property, next);
    at = next;
  }
  put(at, properties.at(-1) ?? '', value);
}
