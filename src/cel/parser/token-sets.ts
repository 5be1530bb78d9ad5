import type { TokenKind } from './token.ts';

/** All kinds in grammar order, which is the order in messages. */
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

/** The first tokens of the grammar's rules. */
export const firstOfMember = setOf("'['", "'{'", "'('", "'.'", "'-'", literals, 'IDENTIFIER');
export const firstOfExpr = setOf(firstOfMember, "'!'");
export const firstOfOptional = setOf(firstOfExpr, "'?'");

export const relationOperators = setOf("'=='", "'!='", "'in'", "'<'", "'<='", "'>='", "'>'");
export const calcOperators = setOf("'*'", "'/'", "'%'", "'+'", "'-'");

/** A set as messages print it: one name alone, several in braces. */
export function formatSet(set: TokenSet): string {
  const names = order.filter((kind) => set.has(kind));
  return names.length === 1 ? (names[0] ?? '') : `{${names.join(', ')}}`;
}
