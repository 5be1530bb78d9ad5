import { flattened, type Node } from './syntax-tree.ts';

/** A text that every match contains. */
interface RequiredLiteral {
  readonly text: string;
  /** True where every match begins with it. */
  readonly isPrefix: boolean;
  /** True where the pattern is nothing but this text. */
  readonly isWhole: boolean;
}

/** Searching a longer text may take time in proportion to its length for each character searched. */
const maxLength = 32;

/**
 * The longest run of plain characters at the top of a pattern, for a quick look at the text before the automaton
 * runs: undefined where there is none, or where the pattern is tied to the begin of the text and fails early anyway.
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

/** The one character of a node. Not U+FFFD, which also matches what is not well-formed. */
function plainCharacter(node: Node): string | undefined {
  if (node.kind !== 'chars' || node.chars.length !== 2) return undefined;
  const [lo = 0, hi = 0] = node.chars;
  if (lo !== hi || lo === 0xfffd || (lo >= 0xd800 && lo <= 0xdfff)) return undefined;
  return String.fromCodePoint(lo);
}
