import {
  type CallExpr,
  type ComprehensionExpr,
  type Expr,
  type ExprVisitor,
  type IdentExpr,
  type ListExpr,
  type MapExpr,
  type SelectExpr,
  type StructExpr,
  visitExpr,
} from '../ast/expression.ts';
import type { CheckedAst } from '../checker/checked-ast.ts';
import { isOptionalType, type Type, unwrapOptional } from '../types/type.ts';
import { CelBytes } from '../values/bytes.ts';
import { codePointLength } from '../values/text.ts';
import { listCreateCost, mapCreateCost, selectCost, structCreateCost } from './constants.ts';
import { declaredSize } from './declared-size.ts';
import type { CallEstimate, CallToEstimate, CostNode, CostTable } from './function-costs.ts';
import { add, fixed, one, multiply, type Range, union, unknownSize, unlimited, zero } from './size.ts';
import { standardEstimates } from './standard-estimates.ts';

/** The minimum and maximum cost of an expression by the declared sizes: cel-go's estimate. */
export function estimateCost(ast: CheckedAst, table: CostTable): Range {
  return new Estimator(ast, table).cost(ast.expr);
}

type Path = readonly string[] | undefined;

/** The estimated size of the elements of a list or map. */
interface EntrySizes {
  readonly container: 'list' | 'map';
  readonly key: Range;
  readonly value: Range;
}

/** A comprehension variable. */
interface Local {
  readonly path: Path;
  readonly size: Range | undefined;
  readonly entries: EntrySizes | undefined;
}

class Estimator implements ExprVisitor<Range> {
  readonly #ast: CheckedAst;
  readonly #table: CostTable;
  readonly #locals = new Map<string, Local[]>();
  readonly #paths = new Map<number, Path>();
  readonly #sizes = new Map<number, Range>();
  readonly #entries = new Map<number, EntrySizes>();

  constructor(ast: CheckedAst, table: CostTable) {
    this.#ast = ast;
    this.#table = table;
  }

  cost(expr: Expr): Range {
    return visitExpr(expr, this);
  }

  const(): Range {
    return zero;
  }

  ident(expr: IdentExpr): Range {
    const local = this.#local(expr.name);
    this.#paths.set(expr.id, local === undefined ? [expr.name] : local.path);
    return fixed(selectCost);
  }

  struct(expr: StructExpr): Range {
    return add(fixed(structCreateCost), ...expr.fields.map(({ value }) => this.cost(value)));
  }

  select(expr: SelectExpr): Range {
    const operand = this.cost(expr.operand);
    // A presence test is free, as in Kubernetes.
    if (expr.test) return operand;
    this.#paths.set(expr.id, [...(this.#path(expr.operand) ?? []), expr.field]);
    const { kind } = this.#ast.typeOf(expr.operand);
    const isField = kind === 'map' || kind === 'struct' || kind === 'typeParam';
    return isField ? add(operand, fixed(selectCost)) : operand;
  }

  call(expr: CallExpr): Range {
    if (expr.name === 'dyn' && expr.args[0] !== undefined) return this.#dyn(expr, expr.args[0]);
    const argCosts = expr.args.map((arg) => this.cost(arg));
    const args = expr.args.map((arg) => this.#node(arg));
    const overloads = this.#ast.overloads(expr);
    if (overloads.length === 0) return zero;
    const targetCost = expr.target === undefined ? zero : this.cost(expr.target);
    const target = expr.target && this.#node(expr.target);
    let cost: Range = { min: unlimited, max: 0n };
    let resultSize: Range | undefined;
    for (const { id } of overloads) {
      const call = this.#toEstimate(id, target, args);
      const estimate = this.#overload(expr, call, argCosts);
      cost = union(cost, estimate.cost);
      if (estimate.resultSize !== undefined) {
        resultSize = resultSize === undefined ? estimate.resultSize : union(resultSize, estimate.resultSize);
      }
      if (id === 'index_list' || id === 'index_map')
        resultSize = this.#indexed(expr, id === 'index_list' ? '@items' : '@values');
      resultSize ??= this.#size(expr);
    }
    if (resultSize !== undefined) this.#sizes.set(expr.id, resultSize);
    return add(targetCost, cost);
  }

  #dyn(expr: CallExpr, arg: Expr): Range {
    const cost = this.cost(arg);
    this.#copySizes(expr, arg);
    return add(one, cost);
  }

  #indexed(expr: CallExpr, step: string): Range | undefined {
    const [container] = expr.args;
    if (container === undefined) return undefined;
    this.#paths.set(expr.id, [...(this.#path(container) ?? []), step]);
    return this.#entrySizes(container)?.value;
  }

  #toEstimate(overloadId: string, target: CostNode | undefined, args: readonly CostNode[]): CallToEstimate {
    const sizeOf = (node: CostNode): Range =>
      node.size ?? declaredSize(node.path, this.#ast.declarations) ?? unknownSize;
    return { overloadId, target, args, sizeOf, elementsOf };
  }

  /** The cost of one overload, including its arguments. */
  #overload(expr: CallExpr, call: CallToEstimate, argCosts: readonly Range[]): CallEstimate {
    const costed =
      this.#table.overloads.get(call.overloadId)?.estimate(call) ??
      this.#table.functions.get(expr.name)?.estimate(call);
    if (costed !== undefined) return { ...costed, cost: add(costed.cost, ...argCosts) };
    return this.#operator(expr, call, argCosts) ?? this.#standard(expr, call, argCosts);
  }

  #operator(expr: CallExpr, call: CallToEstimate, argCosts: readonly Range[]): CallEstimate | undefined {
    const [first = zero, second = zero, third = zero] = argCosts;
    switch (call.overloadId) {
      case 'logical_and':
      case 'logical_or':
        return { cost: { min: first.min, max: add(first, second).max } };
      case 'conditional': {
        const [, yes, no] = call.args;
        if (yes === undefined || no === undefined) return undefined;
        this.#joinEntries(expr, expr.args[1], expr.args[2]);
        const resultSize = union(yes.size ?? unknownSize, no.size ?? unknownSize);
        return { cost: add(first, union(second, third)), resultSize };
      }
      default:
        return undefined;
    }
  }

  #standard(expr: CallExpr, call: CallToEstimate, argCosts: readonly Range[]): CallEstimate {
    if (['add_string', 'add_bytes', 'add_list'].includes(call.overloadId))
      this.#joinEntries(expr, expr.args[0], expr.args[1]);
    const known: CallToEstimate = { ...call, sizeOf: (node) => node.size ?? unknownSize };
    const estimate = standardEstimates.get(call.overloadId)?.(known) ?? { cost: one };
    return { ...estimate, cost: add(estimate.cost, ...argCosts) };
  }

  /** The elements of a conditional or a concatenation of two values. */
  #joinEntries(expr: Expr, left: Expr | undefined, right: Expr | undefined): void {
    const a = left && this.#entrySizes(left);
    const b = right && this.#entrySizes(right);
    if (a === undefined || b === undefined) return;
    this.#entries.set(expr.id, { ...a, key: union(a.key, b.key), value: union(a.value, b.value) });
  }

  list(expr: ListExpr): Range {
    const costs = expr.elements.map((element) => this.cost(element));
    const value = this.#unionOfSizes(expr.elements);
    this.#entries.set(expr.id, { container: 'list', key: one, value });
    return add(fixed(listCreateCost), ...costs);
  }

  map(expr: MapExpr): Range {
    const costs = expr.entries.flatMap(({ key, value }) => [this.cost(key), this.cost(value)]);
    const key = this.#unionOfSizes(expr.entries.map((entry) => entry.key));
    const value = this.#unionOfSizes(expr.entries.map((entry) => entry.value));
    this.#entries.set(expr.id, { container: 'map', key, value });
    return add(fixed(mapCreateCost), ...costs);
  }

  #unionOfSizes(exprs: readonly Expr[]): Range {
    const first: Range = { min: exprs.length === 0 ? 0n : unlimited, max: 0n };
    return exprs.reduce((range, expr) => union(range, this.#size(expr) ?? unknownSize), first);
  }

  comprehension(expr: ComprehensionExpr): Range {
    const before = add(this.cost(expr.range), this.cost(expr.init));
    const isLoop = !isBinding(expr);
    this.#push(expr.accuVar, this.#localOf(expr.init));
    const turn = isLoop ? this.#turn(expr) : zero;
    const result = this.cost(expr.result);
    this.#locals.get(expr.accuVar)?.pop();
    const turns = this.#size(expr.range) ?? unknownSize;
    if (isLoop) this.#sizeComprehension(expr, turns);
    else this.#copySizes(expr, expr.result);
    return add(before, result, multiply(turns, turn));
  }

  #turn(expr: ComprehensionExpr): Range {
    this.#pushIteration(expr);
    const turn = add(this.cost(expr.condition), this.cost(expr.step));
    this.#locals.get(expr.iterVar)?.pop();
    if (expr.iterVar2 !== undefined) this.#locals.get(expr.iterVar2)?.pop();
    return turn;
  }

  #sizeComprehension(expr: ComprehensionExpr, turns: Range): void {
    if (expr.init.kind === 'const') {
      const size = this.#size(expr.init);
      if (size !== undefined) this.#sizes.set(expr.id, size);
    } else if (expr.init.kind === 'list' || expr.init.kind === 'map') {
      this.#sizes.set(expr.id, turns);
      const entries = this.#entrySizes(expr.step);
      if (entries !== undefined) this.#entries.set(expr.id, entries);
    }
  }

  #pushIteration(expr: ComprehensionExpr): void {
    const entries = this.#entrySizes(expr.range);
    const path = this.#path(expr.range) ?? [];
    const isList = (entries?.container ?? this.#ast.typeOf(expr.range).kind) === 'list';
    const key: Local = {
      path: [...path, isList ? '@indices' : '@keys'],
      size: entries?.key,
      entries: undefined,
    };
    const value: Local = {
      path: [...path, isList ? '@items' : '@values'],
      size: entries?.value,
      entries: undefined,
    };
    if (expr.iterVar2 === undefined) {
      this.#push(expr.iterVar, isList ? value : key);
      return;
    }
    this.#push(expr.iterVar, key);
    this.#push(expr.iterVar2, value);
  }

  #localOf(expr: Expr): Local {
    return { path: this.#path(expr), size: this.#size(expr), entries: this.#entrySizes(expr) };
  }

  #push(name: string, local: Local): void {
    const stack = this.#locals.get(name);
    if (stack === undefined) this.#locals.set(name, [local]);
    else stack.push(local);
  }

  #local(name: string): Local | undefined {
    return this.#locals.get(name)?.at(-1);
  }

  #path(expr: Expr): Path {
    const local = expr.kind === 'ident' ? this.#local(expr.name) : undefined;
    return local === undefined ? this.#paths.get(expr.id) : local.path;
  }

  #node(expr: Expr): CostNode {
    const path = this.#path(expr);
    const isAccumulator = path?.[0] === '@result' || path?.[0] === '__result__';
    return {
      path: isAccumulator ? undefined : path,
      type: this.#ast.typeOf(expr),
      expr,
      size: this.#size(expr),
    };
  }

  #size(expr: Expr): Range | undefined {
    const known = this.#sizes.get(expr.id) ?? literalSize(expr);
    if (known !== undefined) return known;
    const declared = declaredSize(this.#path(expr), this.#ast.declarations);
    if (declared !== undefined) {
      this.#sizes.set(expr.id, declared);
      return declared;
    }
    if (isScalar(this.#ast.typeOf(expr))) return one;
    return expr.kind === 'ident' ? this.#local(expr.name)?.size : undefined;
  }

  #entrySizes(expr: Expr): EntrySizes | undefined {
    const known = this.#entries.get(expr.id);
    return known ?? (expr.kind === 'ident' ? this.#local(expr.name)?.entries : undefined);
  }

  #copySizes(to: Expr, from: Expr): void {
    const size = this.#size(from);
    if (size !== undefined) this.#sizes.set(to.id, size);
    const entries = this.#entrySizes(from);
    if (entries !== undefined) this.#entries.set(to.id, entries);
  }
}

/** The elements of a list, by its path if it has one. */
function elementsOf(node: CostNode): CostNode | undefined {
  const [type] = node.type.params;
  if (type === undefined) return undefined;
  return { path: node.path && [...node.path, '@items'], type, expr: undefined, size: undefined };
}

/** A loop over nothing, which only binds a name. */
function isBinding({ range, condition }: ComprehensionExpr): boolean {
  return (
    range.kind === 'list' &&
    range.elements.length === 0 &&
    condition.kind === 'const' &&
    condition.value === false
  );
}

/** The size that a literal has by itself. */
function literalSize(expr: Expr): Range | undefined {
  if (expr.kind === 'list') return fixed(expr.elements.length);
  if (expr.kind === 'map') return fixed(expr.entries.length);
  if (expr.kind !== 'const') return undefined;
  const { value } = expr;
  if (typeof value === 'string') return fixed(codePointLength(value));
  return value instanceof CelBytes ? fixed(value.bytes.length) : one;
}

function isScalar(type: Type): boolean {
  if (isOptionalType(type)) return isScalar(unwrapOptional(type));
  return ['bool', 'double', 'duration', 'int', 'timestamp', 'uint'].includes(type.kind);
}
