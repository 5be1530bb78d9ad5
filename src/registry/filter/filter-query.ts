import { bucketOf, type IndexDefinition, type Query, textOfBucket } from '../../cache/index.ts';
import type { CallExpr, Expr, Value } from '../../cel/index.ts';
import type { Representations } from '../representation/representation.ts';
import type { Filter } from './filter.ts';
import type { FilterTime } from './filter-time.ts';
import type { FilterField } from './filter-fields.ts';

type FilterQuery = Query<Representations>;
type FindIndex = (fieldPath: string) => IndexDefinition<Representations> | undefined;

/**
 * Derives an index query from a filter. Comparisons with constants are lookups; other conditions on a single field
 * are evaluated for each distinct value; `&&`, `||` and `!` combine queries. Indexes cannot answer a condition on
 * several fields.
 */
export function filterQuery(filter: Filter, index: FindIndex, time: FilterTime): FilterQuery {
  return new FilterPlanner(filter, index, time).query(filter.ast.expr, true);
}

class FilterPlanner {
  readonly #filter: Filter;
  readonly #index: FindIndex;
  readonly #time: FilterTime;

  constructor(filter: Filter, index: FindIndex, time: FilterTime) {
    this.#filter = filter;
    this.#index = index;
    this.#time = time;
  }

  /** The objects for which the expression is true, and those for which it is false: errors are neither. */
  query(expr: Expr, wanted: boolean): FilterQuery {
    if (expr.kind === 'call') {
      if (expr.name === '!_' && expr.args[0] !== undefined) return this.query(expr.args[0], !wanted);
      if (expr.name === '_&&_' || expr.name === '_||_') return this.#logic(expr, wanted);
    }
    const fields = this.#filter.fieldsIn(expr);
    const [field] = fields;
    if (field === undefined) return this.#constant(expr, wanted);
    const index = this.#index(field.fieldPath);
    if (fields.length > 1 || index === undefined) {
      const names = fields.map(({ fieldPath }) => fieldPath).slice(0, 3);
      return { kind: 'anything', why: `filter compares ${names.join(' with ')}` };
    }
    return this.#lookUp(expr, wanted, { field, index }) ?? this.#tryValues(expr, wanted, { field, index });
  }

  #logic(expr: CallExpr, wanted: boolean): FilterQuery {
    const queries = expr.args.map((arg) => this.query(arg, wanted));
    // not (a and b) is (not a) or (not b).
    if ((expr.name === '_&&_') === wanted) return { kind: 'and', of: queries };
    return oneSet(queries) ?? { kind: 'or', of: queries };
  }

  #constant(expr: Expr, wanted: boolean): FilterQuery {
    const value = this.#filter.part(expr)(() => '', this.#time);
    return value === wanted ? { kind: 'anything', why: 'everything is wanted' } : { kind: 'nothing' };
  }

  /** `field == constant`, `field in [constants]`, `constant in list`. */
  #lookUp(expr: Expr, wanted: boolean, { field, index }: Place): FilterQuery | undefined {
    const texts = this.#constants(expr, field);
    if (texts === undefined) return undefined;
    const isEqual = (expr.kind === 'call' && expr.name === '_!=_') !== wanted;
    const buckets = texts.map(bucketOf);
    if (isEqual) return { kind: 'in', index, buckets };
    // An empty list counts as present; other empty fields are absent, and comparing them is an error.
    return { kind: 'notIn', index, buckets: field.isList ? buckets : [...buckets, ''] };
  }

  /** The constants that the single field is compared with. */
  #constants(expr: Expr, field: FilterField): readonly string[] | undefined {
    if (expr.kind !== 'call') return undefined;
    const [left, right] = expr.args;
    if (left === undefined || right === undefined) return undefined;
    if (expr.name === '@in') {
      if (field.isList) return this.#isField(right) ? textsOf([left]) : undefined;
      return this.#isField(left) && right.kind === 'list' ? textsOf(right.elements) : undefined;
    }
    if (field.isList || (expr.name !== '_==_' && expr.name !== '_!=_')) return undefined;
    if (this.#isField(left)) return textsOf([right]);
    return this.#isField(right) ? textsOf([left]) : undefined;
  }

  #isField(expr: Expr): boolean {
    const isTest = expr.kind === 'select' && expr.test;
    return !isTest && this.#filter.fieldOf(expr) !== undefined;
  }

  /** A condition on a list is not a condition on its elements: indexes cannot answer it. */
  #tryValues(expr: Expr, wanted: boolean, { field, index }: Place): FilterQuery {
    if (field.isList) return { kind: 'anything', why: `filter looks at the list ${field.fieldPath}` };
    const evaluate = this.#filter.part(expr);
    const known = new Map<string, boolean>();
    const test = (bucket: string): boolean => {
      const before = known.get(bucket);
      if (before !== undefined) return before;
      const text = textOfBucket(bucket);
      const holds = text === undefined || evaluate(() => text, this.#time) === wanted;
      known.set(bucket, holds);
      return holds;
    };
    return { kind: 'where', index, what: wanted ? 'meets the filter' : 'does not meet the filter', test };
  }
}

interface Place {
  readonly field: FilterField;
  readonly index: IndexDefinition<Representations>;
}

/** `a == 'x' || a == 'y'` is a lookup of two values. */
function oneSet(queries: readonly FilterQuery[]): FilterQuery | undefined {
  const [first] = queries;
  if (first?.kind !== 'in') return undefined;
  const buckets: string[] = [];
  for (const query of queries) {
    if (query.kind !== 'in' || query.index !== first.index) return undefined;
    buckets.push(...query.buckets);
  }
  return { ...first, buckets };
}

/** Constants in the notation of selectable values; undefined if one is not a constant of the type. */
function textsOf(exprs: readonly Expr[]): readonly string[] | undefined {
  const texts = exprs.map((expr) => (expr.kind === 'const' ? textOf(expr.value) : undefined));
  const known = texts.filter((text) => text !== undefined);
  return known.length === texts.length ? known : undefined;
}

function textOf(value: Value): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}
