import { flattened, type Node } from './syntax-tree.ts';

/** A literal that every match contains. */
interface RequiredLiteral {
  readonly text: string;
  /** True if every match starts with it. */
  readonly isPrefix: boolean;
  /** True if the pattern is only this literal. */
  readonly isWhole: boolean;
}

/** Searching for a longer literal may take time proportional to its length per character. */
const maxLength = 32;

/**
 * The longest literal at the top level of a pattern, for a quick search before the automaton runs: undefined if there
 * is none, or if the pattern is anchored at the start and fails early anyway.
 */
export function requiredLiteral(tree: Node): RequiredLiteral | undefined {
  const parts = tree.kind === 'concat' ? flattened(tree) : [tree];
  const [head] = parts;
  if (head?.kind === 'place' && head.place === 'beginText') return undefined;
  let best = { text: '', begin: 0 };
  let run = { text: '', begin: 0 };
  for (const [index, part] of parts.entries()) {
    const char = plainCharacter(part);
    run = char === undefined ? { text: '', begin: index + 1 } : { ...run, text: run.text + char };
    if (run.text.length > best.text.length && run.text.length <= maxLength) best = run;
  }
  if (best.text === '') return undefined;
  const isPrefix = best.begin === 0;
  return { text: best.text, isPrefix, isWhole: isPrefix && [...best.text].length === parts.length };
}

/** The character of a single-character node. Not U+FFFD, which also matches ill-formed text. */
function plainCharacter(node: Node): string | undefined {
  if (node.kind !== 'chars' || node.chars.length !== 2) return undefined;
  const [lo = 0, hi = 0] = node.chars;
  if (lo !== hi || lo === 0xfffd || (lo >= 0xd800 && lo <= 0xdfff)) return undefined;
  return String.fromCodePoint(lo);
}
