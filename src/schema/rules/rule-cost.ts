import { type FieldError, type FieldPath, forbidden } from '../../meta/index.ts';
import type { SchemaSite } from '../check/schema-site.ts';
import { isGiven, type SchemaDocument } from '../check/schema-document.ts';

/** The limit for the estimated cost of one expression, times the number of evaluations. */
export const expressionCostLimit = 10_000_000n;
/** The limit for all expressions of a schema together. */
export const schemaCostLimit = 100_000_000n;
/** Expressions below this fraction of a schema's limit are not reported. */
const namedShare = 100n;
const namedMax = 4;
const saturated = 0xffff_ffff_ffff_ffffn;

/** The maximum number of values of a schema by the limits around it; undefined if one of them is missing. */
export function cardinality(site: SchemaSite): bigint | undefined {
  let product = 1n;
  for (const { schema } of site.trail?.steps ?? []) {
    const count = maxElements(schema);
    if (count === undefined) return undefined;
    product = saturatingProduct(product, count);
  }
  return product;
}

function maxElements(schema: SchemaDocument): bigint | undefined {
  if (schema['type'] === 'array') return countOf(schema['maxItems']);
  const isMap = schema['type'] === 'object' && isGiven(schema['additionalProperties']);
  return isMap ? countOf(schema['maxProperties']) : 1n;
}

function countOf(limit: unknown): bigint | undefined {
  if (typeof limit !== 'number' && typeof limit !== 'bigint') return undefined;
  return limit < 0 ? 0n : BigInt(typeof limit === 'number' ? Math.trunc(limit) : limit);
}

export function saturatingProduct(cost: bigint, count: bigint): bigint {
  const product = cost * count;
  return product > saturated ? saturated : product;
}

/** The factor by which a cost exceeds its limit; undefined if it does not. */
export function expressionCostProblem(name: string, cost: bigint): string | undefined {
  return cost > expressionCostLimit ? budgetText(name, cost, expressionCostLimit) : undefined;
}

function budgetText(name: string, cost: bigint, limit: bigint): string {
  return `${name} exceeds budget by factor of ${factorText(Number(cost) / Number(limit))} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}

/** A factor near 1 is printed with more digits. */
function factorText(factor: number): string {
  if (factor > 100) return 'more than 100x';
  return `${factor.toFixed(factor < 1.5 ? 6 : 1)}x`;
}

/** Sums up the costs of a schema's expressions, and keeps the most expensive ones. */
export class SchemaCost {
  #total = 0n;
  #dearest: { readonly path: FieldPath; readonly cost: bigint }[] = [];

  add(path: FieldPath, cost: bigint): void {
    const total = this.#total + cost;
    this.#total = total > saturated ? saturated : total;
    if (cost < schemaCostLimit / namedShare) return;
    const all = [...this.#dearest, { path, cost }];
    this.#dearest = all.sort((a, b) => (a.cost < b.cost ? 1 : a.cost > b.cost ? -1 : 0)).slice(0, namedMax);
  }

  /** Errors for the most expensive expressions and the schema, if the total is above the limit. */
  errors(schemaPath: FieldPath): FieldError[] {
    if (this.#total <= schemaCostLimit) return [];
    const contribution =
      'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
    const name = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
    return [
      ...this.#dearest.map(({ path }) => forbidden(path, contribution)),
      forbidden(schemaPath, budgetText(name, this.#total, schemaCostLimit)),
    ];
  }
}
