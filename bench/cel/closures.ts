/** The state of one evaluation by closures: what it cost so far, and the variable of the loop. */
interface Frame {
  readonly self: Record<string, unknown>;
  cost: number;
  item: Record<string, unknown>;
}

type Closure = (frame: Frame) => unknown;

/**
 * Closures as one would write them by hand for these rules, a node each, with types known and costs counted. They are
 * shared by all rules, as those of a compiler to closures are.
 */
const self =
  (name: string): Closure =>
  (frame) => {
    frame.cost += 2;
    return frame.self[name];
  };
const item =
  (name: string): Closure =>
  (frame) => {
    frame.cost += 2;
    return frame.item[name];
  };
const has =
  (name: string): Closure =>
  (frame) => {
    frame.cost += 1;
    return frame.self[name] !== undefined;
  };
const constant =
  (value: unknown): Closure =>
  () =>
    value;
const not =
  (operand: Closure): Closure =>
  (frame) => {
    frame.cost += 1;
    return operand(frame) !== true;
  };
const and =
  (left: Closure, right: Closure): Closure =>
  (frame) =>
    left(frame) === true && right(frame) === true;
const or =
  (left: Closure, right: Closure): Closure =>
  (frame) =>
    left(frame) === true || right(frame) === true;

const binary =
  (apply: (left: unknown, right: unknown) => unknown) =>
  (left: Closure, right: Closure): Closure =>
  (frame) => {
    frame.cost += 1;
    return apply(left(frame), right(frame));
  };
const atMost = binary((left, right) => Number(left) <= Number(right));
const below = binary((left, right) => Number(left) < Number(right));
const equal = binary((left, right) => left === right);
const startsWith = binary((left, right) => String(left).startsWith(String(right)));

const size =
  (operand: Closure): Closure =>
  (frame) => {
    const list = operand(frame);
    frame.cost += 1;
    return Array.isArray(list) ? list.length : 0;
  };
const some =
  (list: Closure, predicate: Closure, wanted: boolean): Closure =>
  (frame) => {
    const items = list(frame);
    if (!Array.isArray(items)) return !wanted;
    for (const each of items) {
      frame.cost += 4;
      frame.item = each;
      if ((predicate(frame) === true) === wanted) return true;
    }
    return false;
  };

/** The names that a rule of the bench speaks of. */
export interface Names {
  readonly low: string;
  readonly high: string;
  readonly name: string;
  readonly list: string;
  readonly limit: number;
}

/** The six kinds of rule in the bench, in its order. */
export const closuresOf: readonly ((names: Names) => Closure)[] = [
  ({ low, high }) => atMost(self(low), self(high)),
  ({ low, high, name, limit }) =>
    and(
      and(atMost(constant(0), self(low)), below(self(high), constant(limit))),
      not(equal(self(name), constant(''))),
    ),
  ({ name }) => and(has(name), startsWith(self(name), constant('object'))),
  ({ list }) =>
    not(some(self(list), and(below(constant(0), item('port')), below(item('port'), constant(65536))), false)),
  ({ list }) => some(self(list), equal(item('key'), constant('k1')), true),
  ({ list }) => or(not(has(list)), atMost(size(self(list)), constant(10))),
];
