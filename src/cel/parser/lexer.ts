import type { Issue } from '../ast/issue.ts';
import type { Token, TokenKind } from './token.ts';

const space = /(?:[\t \r\n\f]+|\/\/[^\n]*)+/y;
const number =
  /0x[0-9a-fA-F]+[uU]?|(?:\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?)|\d+[uU]?/y;
const identifier = /[A-Za-z_][A-Za-z0-9_]*/y;
const escapedIdentifier = /`[A-Za-z0-9_.\-/ ]+`/y;
const operator = /==|!=|<=|>=|&&|\|\||[<>[\]{}().,\-!?:+*/%]/y;

const escapeSequence = String.raw`\\(?:[abfnrtv"'\\?${'`'}]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})`;
/** The longest match wins, so triple quotes precede single ones. */
const string = new RegExp(
  [
    `[bB]?"""(?:${escapeSequence}|[^\\\\])*?"""`,
    `[bB]?'''(?:${escapeSequence}|[^\\\\])*?'''`,
    `[bB]?[rR]"""[\\s\\S]*?"""`,
    `[bB]?[rR]'''[\\s\\S]*?'''`,
    `[bB]?"(?:${escapeSequence}|[^\\\\"\\n\\r])*"`,
    `[bB]?'(?:${escapeSequence}|[^\\\\'\\n\\r])*'`,
    `[bB]?[rR]"[^"\\n\\r]*"`,
    `[bB]?[rR]'[^'\\n\\r]*'`,
  ].join('|'),
  'y',
);

const keywords: Partial<Record<string, TokenKind>> = {
  in: "'in'",
  true: "'true'",
  false: "'false'",
  null: "'null'",
};

/** Splits an expression into tokens; the last one is `<EOF>`. Unrecognized input is dropped and reported. */
export function tokenize(source: string): { tokens: Token[]; issues: Issue[] } {
  const tokens: Token[] = [];
  const issues: Issue[] = [];
  let offset = 0;
  while (offset < source.length) {
    const skipped = match(space, source, offset);
    if (skipped !== undefined) {
      offset += skipped.length;
      continue;
    }
    const token = tokenAt(source, offset);
    if (token !== undefined) {
      tokens.push(token);
      offset += token.text.length;
      continue;
    }
    const rejected = rejectedAt(source, offset);
    issues.push({ message: `Syntax error: token recognition error at: '${escapeSpace(rejected)}'`, offset });
    offset += rejected.length;
  }
  tokens.push({ kind: '<EOF>', text: '<EOF>', start: source.length });
  return { tokens, issues };
}

function match(pattern: RegExp, source: string, offset: number): string | undefined {
  pattern.lastIndex = offset;
  return pattern.exec(source)?.[0];
}

function tokenAt(source: string, start: number): Token | undefined {
  const quoted = match(string, source, start);
  if (quoted !== undefined) return { kind: /^[bB]/.test(quoted) ? 'BYTES' : 'STRING', text: quoted, start };
  const name = match(identifier, source, start);
  if (name !== undefined) return { kind: keywordKind(name), text: name, start };
  const digits = match(number, source, start);
  if (digits !== undefined) return { kind: numberKind(digits), text: digits, start };
  const symbol = match(operator, source, start);
  // The kind of an operator is its quoted text; the pattern lists exactly those of TokenKind.
  if (symbol !== undefined) return { kind: `'${symbol}'` as TokenKind, text: symbol, start };
  const escaped = match(escapedIdentifier, source, start);
  return escaped === undefined ? undefined : { kind: 'ESC_IDENTIFIER', text: escaped, start };
}

function keywordKind(name: string): TokenKind {
  return (Object.hasOwn(keywords, name) ? keywords[name] : undefined) ?? 'IDENTIFIER';
}

function numberKind(text: string): TokenKind {
  if (/[uU]$/.test(text)) return 'NUM_UINT';
  return !text.startsWith('0x') && /[.eE]/.test(text) ? 'NUM_FLOAT' : 'NUM_INT';
}

/** An incomplete escape, up to the character that breaks it. */
const broken = String.raw`(?:\\(?:[xX][0-9a-fA-F]?|u[0-9a-fA-F]{0,3}|U[0-9a-fA-F]{0,7}|[0-3][0-7]?)?)?[\s\S]?`;
const unterminated = new RegExp(
  [
    `[bB]?"""(?:${escapeSequence}|[^\\\\])*${broken}`,
    `[bB]?'''(?:${escapeSequence}|[^\\\\])*${broken}`,
    `[bB]?"(?:${escapeSequence}|[^\\\\"\\n\\r])*${broken}`,
    `[bB]?'(?:${escapeSequence}|[^\\\\'\\n\\r])*${broken}`,
    '[&|=][\\s\\S]?',
    '`[A-Za-z0-9_.\\-/ ]*[\\s\\S]?',
  ].join('|'),
  'yu',
);

/**
 * The input that the lexer rejects: all characters up to and including the one that rules out a token.
 */
function rejectedAt(source: string, offset: number): string {
  const text = match(unterminated, source, offset);
  if (text !== undefined && text !== '') return text;
  return String.fromCodePoint(source.codePointAt(offset) ?? 0);
}

function escapeSpace(text: string): string {
  return text.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t');
}
