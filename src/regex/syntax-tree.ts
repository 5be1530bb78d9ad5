import type { CharClass } from './char-class.ts';

/** Empty-width assertions. The names are those of Go's regexp/syntax. */
export type Place = 'beginLine' | 'endLine' | 'beginText' | 'endText' | 'wordBoundary' | 'noWordBoundary';

/** Whether a node is a character sequence, exact or case-insensitive. */
type LiteralKind = 'none' | 'plain' | 'folded';

type Shape =
  | { readonly kind: 'empty' }
  | { readonly kind: 'chars'; readonly chars: CharClass; readonly folded: boolean }
  | { readonly kind: 'place'; readonly place: Place }
  | { readonly kind: 'group'; readonly sub: Node }
  | { readonly kind: 'concat'; readonly subs: readonly Node[]; readonly literal: LiteralKind }
  | { readonly kind: 'alternate'; readonly subs: readonly Node[] }
  | {
      readonly kind: 'repeat';
      readonly sub: Node;
      readonly min: number;
      /** -1: unbounded. */
      readonly max: number;
      readonly greedy: boolean;
    };

/** A pattern as a tree; each node has the measures that Go limits. */
export type Node = Shape & {
  /** Go's estimate of the number of instructions. */
  readonly size: number;
  readonly height: number;
  /** The number of copies of the innermost node by nested counted repetitions. */
  readonly copies: number;
  readonly nullable: boolean;
};

const emptyNode: Node = { kind: 'empty', size: 1, height: 1, copies: 1, nullable: true };

export function charsNode(chars: CharClass, folded = false): Node {
  return { kind: 'chars', chars, folded, size: 1, height: 1, copies: 1, nullable: false };
}

export function placeNode(place: Place): Node {
  return { kind: 'place', place, size: 1, height: 1, copies: 1, nullable: true };
}

/** A capturing group. Captures are never read, but Go counts the group's height and size. */
export function groupNode(sub: Node): Node {
  const { copies, nullable } = sub;
  return { kind: 'group', sub, size: sub.size + 2, height: sub.height + 1, copies, nullable };
}

/**
 * A concatenation. A nested concatenation is kept, and {@link flattened} undoes it, but it is measured as if it were
 * flat, as in Go: copying its parts at every level would take quadratic time.
 */
export function concatNode(parts: readonly Node[]): Node {
  const [only] = parts;
  if (only === undefined) return emptyNode;
  if (parts.length === 1) return only;
  return {
    kind: 'concat',
    subs: parts,
    literal: literalKind(parts),
    size: sum(parts),
    height: literalKind(parts) === 'none' ? tallest(parts, 'concat') + 1 : 1,
    copies: mostCopies(parts),
    nullable: parts.every((part) => part.nullable),
  };
}

/** An alternation; a nested one is treated as in {@link concatNode}. */
export function alternateNode(parts: readonly Node[]): Node {
  const [only] = parts;
  if (only === undefined) return emptyNode;
  if (parts.length === 1) return only;
  return {
    kind: 'alternate',
    subs: parts,
    size: sum(parts) + parts.length - 1,
    height: tallest(parts, 'alternate') + 1,
    copies: mostCopies(parts),
    nullable: parts.some((part) => part.nullable),
  };
}

/** The parts of a concatenation or alternation, with nested ones of the same kind expanded. */
export function flattened(node: Node & { kind: 'concat' | 'alternate' }): Node[] {
  const parts: Node[] = [];
  const stack: Node[] = [node];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    if (top.kind !== node.kind) parts.push(top);
    else
      for (let index = top.subs.length - 1; index >= 0; index -= 1) stack.push(top.subs[index] ?? emptyNode);
  }
  return parts;
}

export interface Repetition {
  readonly min: number;
  readonly max: number;
  readonly greedy: boolean;
  /** Written with braces: only these count towards the limit on copies. */
  readonly counted: boolean;
}

export function repeatNode(sub: Node, { min, max, greedy, counted }: Repetition): Node {
  const times = max === -1 ? min : max;
  const factor = counted ? Math.max(times, 1) : 1;
  return {
    kind: 'repeat',
    sub,
    min,
    max,
    greedy,
    size: repeatSize(sub.size, min, max),
    height: sub.height + 1,
    copies: counted && max === 0 ? 1 : sub.copies * factor,
    nullable: min === 0 || sub.nullable,
  };
}

/** `x{2,5}` compiles to `xx(x(x(x)?)?)?`, `x{2,}` to `xx+`. */
function repeatSize(sub: number, min: number, max: number): number {
  if (max === -1) return min === 0 ? 2 + sub : 1 + min * sub;
  return Math.max(1, max * sub + max - min);
}

const sum = (subs: readonly Node[]) => subs.reduce((total, sub) => total + sub.size, 0);
const mostCopies = (subs: readonly Node[]) => subs.reduce((most, sub) => Math.max(most, sub.copies), 1);

/** The height of the tallest part; parts of the same kind do not add a level. */
function tallest(subs: readonly Node[], kind: 'concat' | 'alternate'): number {
  const heightOf = (sub: Node) =>
    sub.kind === kind && literalKind([sub]) === 'none' ? sub.height - 1 : sub.height;
  return subs.reduce((most, sub) => Math.max(most, heightOf(sub)), 0);
}

/** Go merges adjacent characters of the same case mode into one node. */
function literalKind(subs: readonly Node[]): LiteralKind {
  const kinds = new Set(subs.map(literalKindOf));
  const [kind = 'none'] = kinds;
  return kinds.size === 1 ? kind : 'none';
}

function literalKindOf(node: Node): LiteralKind {
  if (node.kind === 'concat') return node.literal;
  if (node.kind !== 'chars') return 'none';
  if (node.folded) return 'folded';
  return node.chars.length === 2 && node.chars[0] === node.chars[1] ? 'plain' : 'none';
}
