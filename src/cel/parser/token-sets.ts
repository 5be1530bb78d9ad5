import type { TokenKind } from './token.ts';

/** All kinds in the order in which the grammar defines them, which is how messages list them. */
const order: readonly TokenKind[] = [
  "'=='",
  "'!='",
  "'in'",
  "'<'",
  "'<='",
  "'>='",
  "'>'",
  "'&&'",
  "'||'",
  "'['",
  "']'",
  "'{'",
  "'}'",
  "'('",
  "')'",
  "'.'",
  "','",
  "'-'",
  "'!'",
  "'?'",
  "':'",
  "'+'",
  "'*'",
  "'/'",
  "'%'",
  "'true'",
  "'false'",
  "'null'",
  'NUM_FLOAT',
  'NUM_INT',
  'NUM_UINT',
  'STRING',
  'BYTES',
  'IDENTIFIER',
  'ESC_IDENTIFIER',
  '<EOF>',
];

export type TokenSet = ReadonlySet<TokenKind>;

export function setOf(...parts: readonly (TokenKind | TokenSet)[]): TokenSet {
  return new Set(parts.flatMap((part) => (typeof part === 'string' ? [part] : [...part])));
}

const literals = setOf("'true'", "'false'", "'null'", 'NUM_FLOAT', 'NUM_INT', 'NUM_UINT', 'STRING', 'BYTES');

/** What the rules of the grammar can begin with. */
export const firstOfMember = setOf("'['", "'{'", "'('", "'.'", "'-'", literals, 'IDENTIFIER');
export const firstOfExpr = setOf(firstOfMember, "'!'");
export const firstOfOptional = setOf(firstOfExpr, "'?'");

export const relationOperators = setOf("'=='", "'!='", "'in'", "'<'", "'<='", "'>='", "'>'");
export const calcOperators = setOf("'*'", "'/'", "'%'", "'+'", "'-'");

/** A set as messages write it: one name by itself, more of them in braces. */
export function formatSet(set: TokenSet): string {
  const names = order.filter((kind) => set.has(kind));
  return names.length === 1 ? (names[0] ?? '') : `{${names.join(', ')}}`;
}
