import { childrenOf, type Environment, type Expr, storedExpressions } from '../../cel/index.ts';
import { goQuote, isObject, type JsonObject, ownList, ownObject, ownString } from '../../meta/index.ts';
import { everyEntry, type FieldSteps } from '../../schema/index.ts';
import { schemaAtStep } from '../field-gates/list-keys.ts';
import { objectsOf } from '../spec-view.ts';

/** How a schema requires a field: always, or in a branch of `oneOf` or `anyOf`. */
export type Need = 'always' | 'in a branch';

/** Whether objects without a field are refused, by `required` of any schema on the path. */
export function needOf(schema: JsonObject, steps: FieldSteps): Need | undefined {
  const [step = '', ...rest] = steps;
  const required = rest.length === 0 && (ownList(schema, 'required') ?? []).includes(step);
  const below = rest.length === 0 ? undefined : schemaAtStep(schema, step);
  const needs = [required ? 'always' : below && needOf(below, rest)];
  needs.push(...objectsOf(schema, 'allOf').map((one) => needOf(one, steps)));
  for (const field of ['anyOf', 'oneOf']) {
    const branches = objectsOf(schema, field).map((one) => needOf(one, steps));
    if (branches.length > 0 && branches.every((need) => need === 'always')) needs.push('always');
    else if (branches.some((need) => need !== undefined)) needs.push('in a branch');
  }
  return needs.includes('always') ? 'always' : needs.find((need) => need !== undefined);
}

/** A rule that reads fields, by paths as gates write them. */
interface ReadingRule {
  readonly rule: string;
  /** The path of the schema that has the rule. */
  readonly self: string;
  readonly reads: ReadonlySet<string>;
  /** The fields that the rule checks with `has()` before it reads them. */
  readonly tests: ReadonlySet<string>;
  /** The gates that the rule asks for. */
  readonly gates: ReadonlySet<string>;
}

/** The rules of a schema and the fields that they read. */
export class RuleReads {
  readonly #rules: readonly ReadingRule[];

  constructor(schema: JsonObject) {
    let environment: Environment | undefined;
    const parse = (rule: string) => {
      environment ??= storedExpressions();
      return environment.parse(rule).expr;
    };
    this.#rules = [...rulesBelow(schema, '', parse)];
  }

  /** The rules that fail on objects without a field, in message notation. */
  thatNeed(fieldPath: string, gate: string): string[] {
    const isInside = (self: string) =>
      self === fieldPath || self.startsWith(`${fieldPath}.`) || self.startsWith(`${fieldPath}[`);
    return this.#rules
      .filter(({ reads, tests, gates, self }) => {
        const isGuarded = tests.has(fieldPath) || gates.has(gate) || isInside(self);
        return reads.has(fieldPath) && !isGuarded;
      })
      .map(({ rule }) => goQuote(rule.length > ruleTextMax ? `${rule.slice(0, ruleTextMax)}...` : rule));
  }
}

/** Warnings must fit into a header. */
const ruleTextMax = 100;

type Parse = (rule: string) => Expr;

function* rulesBelow(schema: JsonObject, path: string, parse: Parse): Generator<ReadingRule> {
  for (const raw of objectsOf(schema, 'x-kubernetes-validations')) {
    const found = readingRule(ownString(raw, 'rule') ?? '', path, parse);
    if (found !== undefined) yield found;
  }
  for (const [name, child] of Object.entries(ownObject(schema, 'properties') ?? {})) {
    if (isObject(child)) yield* rulesBelow(child, `${path}.${name}`, parse);
  }
  for (const field of ['items', 'additionalProperties']) {
    const child = ownObject(schema, field);
    if (child !== undefined) yield* rulesBelow(child, `${path}${everyEntry}`, parse);
  }
}

/** Undefined for a rule that does not parse; another check refuses it. */
function readingRule(rule: string, self: string, parse: Parse): ReadingRule | undefined {
  const found = { rule, self, reads: new Set<string>(), tests: new Set<string>(), gates: new Set<string>() };
  try {
    visit(
      parse(rule),
      new Map([
        ['self', self],
        ['oldSelf', self],
      ]),
      found,
    );
  } catch {
    return undefined;
  }
  return found;
}

/** The paths that variables refer to. */
type Scope = ReadonlyMap<string, string>;
type Found = { readonly [field in 'reads' | 'tests' | 'gates']: Set<string> };

function visit(expr: Expr, scope: Scope, found: Found): void {
  if (expr.kind === 'select') {
    const path = pathOf(expr, scope);
    if (path !== undefined) found[expr.test ? 'tests' : 'reads'].add(path);
  }
  if (expr.kind === 'call') noteGate(expr, found);
  if (expr.kind !== 'comprehension') {
    for (const child of childrenOf(expr)) visit(child, scope, found);
    return;
  }
  const range = pathOf(expr.range, scope);
  const entry = range === undefined ? [] : [`${range}${everyEntry}`];
  const variables = [expr.iterVar, expr.iterVar2].filter((name) => name !== undefined);
  const inner = new Map([
    ...scope,
    ...variables.flatMap((name) => entry.map((path) => [name, path] as const)),
  ]);
  visit(expr.range, scope, found);
  for (const child of [expr.init, expr.condition, expr.step, expr.result]) visit(child, inner, found);
}

/** `featureGates.enabled('Name')` */
function noteGate(expr: Expr & { readonly kind: 'call' }, { gates }: Found): void {
  const [name] = expr.args;
  const isGate =
    expr.name === 'enabled' && expr.target?.kind === 'ident' && expr.target.name === 'featureGates';
  if (isGate && name?.kind === 'const' && typeof name.value === 'string') gates.add(name.value);
}

function pathOf(expr: Expr, scope: Scope): string | undefined {
  switch (expr.kind) {
    case 'ident':
      return scope.get(expr.name);
    case 'select': {
      const operand = pathOf(expr.operand, scope);
      return operand === undefined ? undefined : `${operand}.${expr.field}`;
    }
    case 'call': {
      const [operand] = expr.name === '_[_]' ? expr.args : [];
      const path = operand && pathOf(operand, scope);
      return path === undefined ? undefined : `${path}${everyEntry}`;
    }
    default:
      return undefined;
  }
}
