import { goFloat } from '../../meta/index.ts';
import type { SchemaNode } from '../schema-node.ts';

/** An error without its path. */
interface NumberProblem {
  readonly text: (path: string) => string;
  /** The value in the error; undefined for errors that upstream reports without a field. */
  readonly shown: Operand | undefined;
}

const int64Max = 2n ** 63n - 1n;
const int64Min = -(2n ** 63n);
const int32Max = 2 ** 31 - 1;
const int32Min = -(2 ** 31);

/**
 * True for values that are an int64 in Go: safe integers, and 64-bit bigints. Integral numbers beyond 2^53 can only
 * come from exponent notation, which Go parses as a float64; other numbers of that notation are a Float64.
 */
export function isInt64(value: number | bigint): boolean {
  return typeof value === 'bigint' ? value >= int64Min && value <= int64Max : Number.isSafeInteger(value);
}

/**
 * True for a float that is accepted as an integer. Upstream's test has a relative tolerance of 1e-9, so 5.000000001
 * passes it (the range check below catches most of these).
 */
export function isNearlyInteger(value: number): boolean {
  if (!(Math.abs(value) <= Number.MAX_SAFE_INTEGER)) return false;
  const whole = Math.trunc(value);
  if (whole === value) return true;
  return value > 0 && whole > 0 && (value - whole) / (value + whole) < 1e-9;
}

/** The type whose range applies to numbers; empty if there is none or more than one. */
function rangeType(node: SchemaNode): string {
  const type = node.types.length === 1 ? node.types[0] : '';
  return type === 'integer' || type === 'number' ? type : '';
}

/** True if a number is in the range of the schema's type and format. */
function isInRange(node: SchemaNode, value: number | bigint): boolean {
  const type = rangeType(node);
  if (type === 'number') return node.format !== 'float' || Number.isFinite(Math.fround(Number(value)));
  if (type !== 'integer') return true;
  if (node.format === 'int32')
    return Number.isInteger(Number(value)) && value >= int32Min && value <= int32Max;
  if (typeof value === 'bigint') return isInt64(value);
  return Number.isInteger(value) && isInt64(BigInt(value));
}

function rangeProblem(node: SchemaNode, what: string): NumberProblem {
  const type = rangeType(node);
  const kind = node.format === '' ? `${type} (default format)` : `${type} with format ${node.format}`;
  const text = (path: string) => `${what} value must be of type ${kind} in ${path}`;
  return { text, shown: undefined };
}

function boundProblem(operand: Operand, words: string): NumberProblem {
  return { text: (path) => `${path} in body should be ${words}`, shown: operand };
}

/** A number with the Go type that upstream uses for it. */
export interface Operand {
  readonly value: number | bigint;
  readonly asInteger: boolean;
}

function shownBound(bound: number, operand: Operand): string {
  return operand.asInteger ? String(toInt64(bound)) : goFloat(bound);
}

/** Go's conversion of a float64 to an int64. */
function toInt64(value: number): number | bigint {
  const whole = Math.trunc(value);
  return Number.isSafeInteger(whole) || !Number.isFinite(whole) ? whole : BigInt(whole);
}

function checkMaximum(node: SchemaNode, operand: Operand): NumberProblem | undefined {
  if (node.maximum === undefined) return undefined;
  const bound = operand.asInteger ? toInt64(node.maximum) : node.maximum;
  if (node.exclusiveMaximum ? operand.value < bound : operand.value <= bound) return undefined;
  const words = node.exclusiveMaximum ? 'less than' : 'less than or equal to';
  return boundProblem(operand, `${words} ${shownBound(node.maximum, operand)}`);
}

function checkMinimum(node: SchemaNode, operand: Operand): NumberProblem | undefined {
  if (node.minimum === undefined) return undefined;
  const bound = operand.asInteger ? toInt64(node.minimum) : node.minimum;
  if (node.exclusiveMinimum ? operand.value > bound : operand.value >= bound) return undefined;
  const words = node.exclusiveMinimum ? 'greater than' : 'greater than or equal to';
  return boundProblem(operand, `${words} ${shownBound(node.minimum, operand)}`);
}

function checkMultipleOf(node: SchemaNode, operand: Operand): NumberProblem | undefined {
  if (node.multipleOf === undefined) return undefined;
  const factor = operand.asInteger ? toInt64(node.multipleOf) : node.multipleOf;
  const shown = shownBound(node.multipleOf, operand);
  if (factor <= 0) {
    const text = (path: string) => `factor MultipleOf declared for ${path} must be positive: ${shown}`;
    return { text, shown: { value: factor, asInteger: operand.asInteger } };
  }
  return isMultiple(operand, factor) ? undefined : boundProblem(operand, `a multiple of ${shown}`);
}

function isMultiple(operand: Operand, factor: number | bigint): boolean {
  if (operand.asInteger) {
    if (typeof operand.value === 'number' && typeof factor === 'number') return operand.value % factor === 0;
    return BigInt(operand.value) % BigInt(factor) === 0n;
  }
  const value = Number(operand.value);
  const divisor = Number(factor);
  return isNearlyInteger(divisor < 1 ? (1 / divisor) * value : value / divisor);
}

type Rule = (node: SchemaNode, operand: Operand) => NumberProblem | undefined;

/** In upstream's order, with the name under which an out-of-range bound is reported. */
const rules: readonly { keyword: 'multipleOf' | 'minimum' | 'maximum'; name: string; check: Rule }[] = [
  { keyword: 'multipleOf', name: 'MultipleOf', check: checkMultipleOf },
  { keyword: 'minimum', name: 'Minimum boundary', check: checkMinimum },
  { keyword: 'maximum', name: 'Maximum boundary', check: checkMaximum },
];

/** All errors of a number, in upstream's order. An out-of-range bound is reported each time. */
export function numberProblems(node: SchemaNode, value: number | bigint): NumberProblem[] {
  const integral = isInt64(value);
  const problems: NumberProblem[] = isInRange(node, value) ? [] : [rangeProblem(node, 'Checked')];
  for (const { keyword, name, check } of rules) {
    const bound = node[keyword];
    if (bound === undefined) continue;
    const inRange = isInRange(node, bound);
    if (!inRange) problems.push(rangeProblem(node, name));
    const asInteger = inRange && integral;
    const found = check(node, { value: asInteger ? value : Number(value), asInteger });
    if (found !== undefined) problems.push(found);
  }
  return problems;
}
