import { FieldPath, isObject, type JsonValue } from '../../meta/index.ts';
import { Pattern } from '../pattern.ts';
import { listErrors } from './list-rules.ts';
import { isPlainDefault } from './plain-default.ts';
import { isPlainPattern } from './plain-pattern.ts';
import { ruleErrors } from './rule-syntax.ts';
import { type SchemaDocument, schemaOf, textOf } from './schema-document.ts';
import type { SchemaDemands } from './schema-site.ts';
import { ownStructureErrors } from './validate-structure.ts';
import { SurveyedPlace } from './surveyed-place.ts';

/** A format and its location. */
interface FoundFormat {
  readonly format: string;
  readonly type: string;
}

/** A schema in which one walk has found no errors, except those that only the exact check can find. */
export interface SchemaSurvey {
  /** Defaults to check, in the order of their errors. */
  readonly defaults: readonly SurveyedPlace[];
  /** Rules to compile, in the order of their errors. */
  readonly rules: readonly SurveyedPlace[];
  /** Each format once for each type. */
  readonly formats: Iterable<FoundFormat>;
  /** True if a set has items that are not scalars. */
  readonly hasCompoundSet: boolean;
}

/** Returns the survey of a schema, if any; see {@link surveySchema}. */
export type SurveyOf = (schema: SchemaDocument) => SchemaSurvey | undefined;

/**
 * Checks a schema in one walk. Nearly every schema is valid, which can be found without paths and messages, and in one
 * walk instead of several; this matters above all for the first schemas of a process, before functions are optimized.
 *
 * Undefined for anything unusual, valid or not: then the exact check must decide.
 */
export function surveySchema(schema: SchemaDocument): SchemaSurvey | undefined {
  const survey = new Survey();
  return survey.passes(SurveyedPlace.root(schema)) ? survey : undefined;
}

/** Caches the surveys of schemas that do not change meanwhile. */
export function rememberingSurveys(): SurveyOf {
  const known = new Map<SchemaDocument, SchemaSurvey | undefined>();
  return (schema) => {
    if (!known.has(schema)) known.set(schema, surveySchema(schema));
    return known.get(schema);
  };
}

const nowhere = FieldPath.of('schema');
const allDemanded: SchemaDemands = {
  structural: true,
  validTypes: true,
  prunedDefaults: true,
  atomicSets: true,
  soundListKeys: true,
};

const types = new Set<JsonValue>(['array', 'boolean', 'integer', 'number', 'object', 'string']);

/** These keywords need no check before there are objects; decoding has checked their types. */
const restrictions = [
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'maxItems',
  'minItems',
  'multipleOf',
  'enum',
  'maxProperties',
  'minProperties',
  'required',
];
const harmless: ReadonlySet<string> = new Set([
  ...restrictions,
  'description',
  'title',
  'externalDocs',
  'example',
  'nullable',
]);
const harmlessInBranch: ReadonlySet<string> = new Set(restrictions);

/** The usual form of each keyword. The exact check handles unusual ones. */
type Look = 'type' | 'format' | 'pattern' | 'default' | 'child' | 'branch' | 'list' | 'special' | 'rules';

const looks: ReadonlyMap<string, Look> = new Map<string, Look>([
  ['type', 'type'],
  ['format', 'format'],
  ['pattern', 'pattern'],
  ['default', 'default'],
  ['items', 'child'],
  ['properties', 'child'],
  ['additionalProperties', 'child'],
  ['allOf', 'branch'],
  ['anyOf', 'branch'],
  ['oneOf', 'branch'],
  ['not', 'branch'],
  ['x-kubernetes-list-type', 'list'],
  ['x-kubernetes-list-map-keys', 'list'],
  ['x-kubernetes-map-type', 'list'],
  ['x-kubernetes-preserve-unknown-fields', 'special'],
  ['x-kubernetes-embedded-resource', 'special'],
  ['x-kubernetes-int-or-string', 'special'],
  ['x-kubernetes-validations', 'rules'],
]);

class Survey implements SchemaSurvey {
  readonly defaults: SurveyedPlace[] = [];
  readonly rules: SurveyedPlace[] = [];
  hasCompoundSet = false;
  readonly #formats = new Map<string, FoundFormat>();

  get formats(): Iterable<FoundFormat> {
    return this.#formats.values();
  }

  /** A schema outside of branches, and its children. */
  passes(place: SurveyedPlace): boolean {
    const { schema } = place;
    const seen = new Set<Look>();
    for (const keyword in schema) {
      if (harmless.has(keyword)) continue;
      const look = looks.get(keyword);
      const value = schema[keyword];
      if (look === undefined || value === undefined || value === null) return false;
      if (look === 'child' && seen.has(look)) return false;
      seen.add(look);
      if (!this.#isUsual(look, keyword, value, place)) return false;
    }
    if (!hasUsualType(place) || !this.#hasUsualStructure(place, seen)) return false;
    if (seen.has('list') && !this.#hasUsualList(schema)) return false;
    if (seen.has('default') && !this.#noteDefault(place)) return false;
    if (seen.has('child') && !this.#childrenPass(place)) return false;
    if (seen.has('rules')) this.rules.push(place);
    return true;
  }

  #isUsual(look: Look, keyword: string, value: JsonValue, { schema, isRoot }: SurveyedPlace): boolean {
    switch (look) {
      case 'format':
        return this.#noteFormat(schema, value);
      case 'pattern':
        return isValidPattern(value);
      case 'branch':
        return !isRoot && this.#branchesPass(value);
      case 'special':
        return value === true;
      case 'rules':
        return Array.isArray(value) && value.length > 0 && ruleErrors(schema, nowhere).length === 0;
      case 'child':
        return !(isRoot && keyword === 'additionalProperties');
      default:
        return true;
    }
  }

  #hasUsualStructure({ schema, isRoot, insideMetadata }: SurveyedPlace, seen: ReadonlySet<Look>): boolean {
    if (!isRoot && !seen.has('branch') && !seen.has('special')) return true;
    if (insideMetadata && schema['x-kubernetes-embedded-resource'] === true) return false;
    return ownStructureErrors({ schema, level: isRoot ? 'root' : 'field', path: nowhere }).length === 0;
  }

  #hasUsualList(schema: SchemaDocument): boolean {
    if (isAtomic(schema)) return true;
    const itemType = textOf(schemaOf(schema, 'items') ?? {}, 'type');
    const isCompound = itemType === 'object' || itemType === 'array';
    if (schema['x-kubernetes-list-type'] === 'set' && isCompound) this.hasCompoundSet = true;
    return listErrors(schema, nowhere, allDemanded).length === 0;
  }

  #noteFormat({ type }: SchemaDocument, format: JsonValue): boolean {
    if (typeof format !== 'string') return false;
    const found = { format, type: typeof type === 'string' ? type : '' };
    this.#formats.set(`${found.type} ${format}`, found);
    return true;
  }

  /** Defaults in map values are not checked, and those of metadata only by the exact check. */
  #noteDefault(place: SurveyedPlace): boolean {
    const { schema, insideMetadata, insideMap } = place;
    if (insideMetadata) return false;
    if (!insideMap && !isPlainDefault(schema, schema['default'] ?? null)) this.defaults.push(place);
    return true;
  }

  /** Only one of the three is present, so defaults and rules have the same order. */
  #childrenPass(place: SurveyedPlace): boolean {
    const { items, properties, additionalProperties } = place.schema;
    if (items !== undefined) {
      return isObject(items) && this.passes(place.below(items, { keyword: 'items' }));
    }
    if (additionalProperties !== undefined) {
      if (typeof additionalProperties === 'boolean') return true;
      const step = { keyword: 'additionalProperties' } as const;
      return isObject(additionalProperties) && this.passes(place.below(additionalProperties, step));
    }
    return (
      isObject(properties) &&
      Object.entries(properties).every(
        ([name, schema]) =>
          isObject(schema) && this.passes(place.below(schema, { keyword: 'properties', name })),
      )
    );
  }

  #branchesPass(value: JsonValue): boolean {
    return Array.isArray(value)
      ? value.every((branch) => isObject(branch) && this.#branchPasses(branch))
      : isObject(value) && this.#branchPasses(value);
  }

  /** Contains only keywords allowed in branches; other errors are reported at the root of branches. */
  #branchPasses(branch: SchemaDocument): boolean {
    for (const keyword in branch) {
      if (harmlessInBranch.has(keyword)) continue;
      if (!this.#isUsualInBranch(keyword, branch)) return false;
    }
    return true;
  }

  #isUsualInBranch(keyword: string, branch: SchemaDocument): boolean {
    const value = branch[keyword] ?? null;
    switch (keyword) {
      case 'type':
        return types.has(value);
      case 'format':
        return this.#noteFormat(branch, value);
      case 'pattern':
        return isValidPattern(value);
      case 'items':
        return isObject(value) && this.#branchPasses(value);
      case 'properties':
        return isObject(value) && this.#branchesPass(Object.values(value));
      case 'allOf':
      case 'anyOf':
      case 'oneOf':
      case 'not':
        return this.#branchesPass(value);
      default:
        return false;
    }
  }
}

function isValidPattern(value: JsonValue): boolean {
  return typeof value === 'string' && (isPlainPattern(value) || new Pattern(value).error === undefined);
}

/**
 * Every schema has one type, and lists declare their items; the type may be missing for any value or for int-or-string.
 */
function hasUsualType({ schema, isRoot }: SurveyedPlace): boolean {
  const { type } = schema;
  if (type === undefined) {
    return (
      schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true
    );
  }
  if (isRoot && type !== 'object') return false;
  return types.has(type) && (type !== 'array' || schema['items'] !== undefined);
}

/** An atomic list or object. */
function isAtomic(schema: SchemaDocument): boolean {
  if (schema['x-kubernetes-list-map-keys'] !== undefined) return false;
  const listType = schema['x-kubernetes-list-type'];
  const mapType = schema['x-kubernetes-map-type'];
  if (listType === undefined) return mapType === 'atomic' && schema['type'] === 'object';
  return mapType === undefined && listType === 'atomic' && schema['type'] === 'array';
}
