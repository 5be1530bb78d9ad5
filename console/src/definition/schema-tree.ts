import type { KindSchema, Schema } from '../api/kind-schema.ts';

/** A field of a schema. */
export interface Field {
  /** Unique in the tree. */
  readonly key: string;
  readonly name: string;
  /** `.spec.ports[].name`, `.spec.limits.*`: the notation of `ilk diff`. */
  readonly path: string;
  readonly schema: Schema;
  /** The schema of list items or map values. */
  readonly inner: Schema | undefined;
  readonly isRequired: boolean;
  readonly level: number;
  /** Its index among its siblings, from 1. */
  readonly position: number;
  readonly siblings: number;
  readonly hasChildren: boolean;
}

/** The gate of a field (KEP-2608). */
export interface FieldGate {
  readonly name: string;
  readonly stage: string;
  readonly enabled: boolean;
}

/** The result of a search. */
interface Found {
  /** The matching fields and their parents. */
  readonly shown: ReadonlySet<string>;
  readonly matches: readonly Field[];
  /** False if the schema has more fields than the search limit. */
  readonly isComplete: boolean;
}

/** Recursive schemas are infinite. */
const searchedFieldsMax = 50_000;
const matchesMax = 1_000;

/** A schema as a lazily created tree of fields. */
export class SchemaTree {
  readonly #schema: KindSchema;
  readonly #children = new Map<string, readonly Field[]>();
  #index: { readonly fields: readonly Field[]; readonly isComplete: boolean } | undefined;
  readonly root: Field;

  constructor(schema: KindSchema) {
    this.#schema = schema;
    this.root = this.#field({ key: '', path: '', level: 0 }, { step: '' }, schema.root, {});
  }

  /** The fields of an object; for a list or map of objects, those of its items or values. */
  childrenOf(field: Field): readonly Field[] {
    const known = this.#children.get(field.key);
    if (known !== undefined) return known;
    const made = this.#makeChildren(field);
    this.#children.set(field.key, made);
    return made;
  }

  /** The visible fields from top to bottom, as far as they are expanded. */
  rows(isOpen: (field: Field) => boolean, isShown: (field: Field) => boolean = () => true): readonly Field[] {
    const rows: Field[] = [];
    const waiting = this.childrenOf(this.root).filter(isShown).toReversed();
    for (let field = waiting.pop(); field !== undefined; field = waiting.pop()) {
      rows.push(field);
      if (field.hasChildren && isOpen(field)) {
        for (const child of this.childrenOf(field).toReversed()) if (isShown(child)) waiting.push(child);
      }
    }
    return rows;
  }

  /** The fields whose path or description contains all words. */
  search(text: string): Found {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    this.#index ??= this.#makeIndex();
    const { fields, isComplete } = this.#index;
    const matches = fields
      .filter(({ path, schema }) => {
        const where = `${path} ${schema.description ?? ''}`.toLowerCase();
        return words.every((word) => where.includes(word));
      })
      .slice(0, matchesMax);
    const shown = new Set<string>();
    for (const { key } of matches) for (const above of keysTo(key)) shown.add(above);
    return { shown, matches, isComplete: isComplete && matches.length < matchesMax };
  }

  /** The fields that satisfy a predicate, within the search limit. */
  fieldsWith(isWanted: (field: Field) => boolean): readonly Field[] {
    this.#index ??= this.#makeIndex();
    return this.#index.fields.filter(isWanted);
  }

  /** The field with this path or its nearest parent, and all its parents, outermost first. */
  find(path: string): readonly Field[] {
    const way: Field[] = [];
    for (let field: Field | undefined = this.root; field !== undefined; ) {
      field = this.childrenOf(field).findLast((child) => leadsTo(child.path, path));
      if (field !== undefined) way.push(field);
    }
    return way;
  }

  /** In breadth-first order. */
  #makeIndex() {
    const fields: Field[] = [];
    let isComplete = true;
    const waiting = [this.root];
    for (let at = 0; at < waiting.length; at += 1) {
      const field = waiting[at];
      if (field === undefined || !isComplete) break;
      for (const child of this.childrenOf(field)) {
        fields.push(child);
        if (child.hasChildren) waiting.push(child);
      }
      isComplete = fields.length < searchedFieldsMax;
    }
    return { fields, isComplete };
  }

  #makeChildren(field: Field): readonly Field[] {
    const holder = field.schema.properties === undefined ? (field.inner ?? field.schema) : field.schema;
    const place =
      holder === field.schema ? field : { ...field, path: `${field.path}${stepInto(field.schema)}` };
    const { properties } = holder;
    if (properties !== undefined) {
      const entries = Object.entries(properties);
      return entries.map(([name, child], index) =>
        this.#field(place, { name }, child, {
          isRequired: holder.required?.includes(name) === true,
          position: index + 1,
          siblings: entries.length,
        }),
      );
    }
    // Nested lists, and other types without fields.
    if (field.inner === undefined || innerOf(field.inner) === undefined) return [];
    return [this.#field(field, { step: stepInto(field.schema) }, field.inner, {})];
  }

  #field(
    above: { readonly key: string; readonly path: string; readonly level: number },
    at: { readonly name: string } | { readonly step: string },
    given: Schema,
    { isRequired = false, position = 1, siblings = 1 },
  ): Field {
    const schema = this.#schema.resolve(given) ?? given;
    const unresolved = innerOf(schema);
    const inner = unresolved && (this.#schema.resolve(unresolved) ?? unresolved);
    const isNamed = 'name' in at;
    return {
      key: `${above.key}${keySeparator}${isNamed ? JSON.stringify(at.name) : at.step}`,
      name: isNamed ? at.name : at.step === '[]' ? 'each item' : 'each entry',
      path: isNamed ? `${above.path}.${at.name}` : `${above.path}${at.step}`,
      schema,
      inner,
      isRequired,
      level: above.level + 1,
      position,
      siblings,
      hasChildren:
        hasNames(schema) || (inner !== undefined && (hasNames(inner) || innerOf(inner) !== undefined)),
    };
  }
}

function leadsTo(above: string, path: string): boolean {
  return path === above || (path.startsWith(above) && /^[.[]/.test(path.slice(above.length)));
}

/** The separator of a key's parts, which never contain it. */
export const keySeparator = '\n';

/** The keys of a field and its parents. */
function* keysTo(key: string): Generator<string> {
  for (let end = key.length; end > 0; end = key.lastIndexOf(keySeparator, end - 1)) yield key.slice(0, end);
}

function innerOf({ items, additionalProperties }: Schema): Schema | undefined {
  if (items !== undefined) return items;
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

function stepInto({ items }: Schema): string {
  return items === undefined ? '.*' : '[]';
}

function hasNames({ properties }: Schema): boolean {
  return properties !== undefined && Object.keys(properties).length > 0;
}
