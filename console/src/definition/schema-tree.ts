import type { KindSchema, Schema } from '../api/kind-schema.ts';

/** A place in a schema. */
export interface Field {
  /** Differs for all fields of a tree. */
  readonly key: string;
  readonly name: string;
  /** `.spec.ports[].name`, `.spec.limits.*`: as `ilk diff` writes it. */
  readonly path: string;
  readonly schema: Schema;
  /** What each item of a list, or each entry of a map, is. */
  readonly inner: Schema | undefined;
  readonly isRequired: boolean;
  readonly level: number;
  /** Its place among its siblings, from 1. */
  readonly position: number;
  readonly siblings: number;
  readonly hasChildren: boolean;
}

/** The gate that a field stands under (KEP-2608). */
export interface FieldGate {
  readonly name: string;
  readonly stage: string;
  readonly enabled: boolean;
}

/** What a search found. */
export interface Found {
  /** The fields to show: those that match, and what is above them. */
  readonly shown: ReadonlySet<string>;
  readonly matches: readonly Field[];
  /** False where the schema has more fields than are looked at. */
  readonly isComplete: boolean;
}

/** Schemas that refer to themselves have no end. */
const searchedFieldsMax = 50_000;
const matchesMax = 1_000;

/** A schema as a tree of fields, of which only those are made that somebody looks at. */
export class SchemaTree {
  readonly #schema: KindSchema;
  readonly #children = new Map<string, readonly Field[]>();
  #index: { readonly fields: readonly Field[]; readonly isComplete: boolean } | undefined;
  readonly root: Field;

  constructor(schema: KindSchema) {
    this.#schema = schema;
    this.root = this.#field({ key: '', path: '', level: 0 }, { step: '' }, schema.root, {});
  }

  /** The fields of an object; those of its items or entries, where the field is a list or a map of objects. */
  childrenOf(field: Field): readonly Field[] {
    const known = this.#children.get(field.key);
    if (known !== undefined) return known;
    const made = this.#makeChildren(field);
    this.#children.set(field.key, made);
    return made;
  }

  /** The fields from top to bottom, as far as they are open. */
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

  /** The fields whose path or description has all the words. */
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

  /** The fields of which something is true, among those that a search looks at. */
  fieldsWith(isWanted: (field: Field) => boolean): readonly Field[] {
    this.#index ??= this.#makeIndex();
    return this.#index.fields.filter(isWanted);
  }

  /** The field with this path, or the nearest above it, and those above that, from the outside in. */
  find(path: string): readonly Field[] {
    const way: Field[] = [];
    for (let field: Field | undefined = this.root; field !== undefined; ) {
      field = this.childrenOf(field).findLast((child) => leadsTo(child.path, path));
      if (field !== undefined) way.push(field);
    }
    return way;
  }

  /** Those near the root first. */
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
    // A list of lists, and what else has no names inside.
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

/** Between the parts of a key, which never have it themselves. */
export const keySeparator = '\n';

/** The keys of a field and of all above it. */
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
