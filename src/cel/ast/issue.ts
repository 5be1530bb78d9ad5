/** An error in an expression, and its position. */
export interface Issue {
  readonly message: string;
  /** UTF-16 offset into the source; -1 if the issue concerns the whole source. */
  readonly offset: number;
}

/** An expression that does not parse or check. The message is cel-go's and contains all issues. */
export class CelIssues extends Error {
  readonly issues: readonly Issue[];

  constructor(source: string, issues: readonly Issue[]) {
    super(formatIssues(source, issues));
    this.name = 'CelIssues';
    this.issues = issues;
  }
}

const maxIssues = 100;
const maxSnippetLength = 16384;

/**
 * Formats issues by position, each with its line and a caret below, as cel-go does:
 *
 *     ERROR: <input>:1:5: Syntax error: ...
 *      | a +
 *      | ....^
 */
function formatIssues(source: string, issues: readonly Issue[]): string {
  const shown = issues
    .slice(0, maxIssues)
    .map((issue) => ({ message: issue.message, ...locate(source, issue.offset) }));
  shown.sort((a, b) => a.line - b.line || a.column - b.column);
  const texts = shown.map(formatIssue);
  if (issues.length > maxIssues) texts.push(`${issues.length - maxIssues} more errors were truncated`);
  return texts.join('\n');
}

interface Location {
  readonly line: number;
  /** In code points, from 0. */
  readonly column: number;
  readonly lineText: string | undefined;
}

function locate(source: string, offset: number): Location {
  if (offset < 0) return { line: -1, column: -1, lineText: undefined };
  const before = source.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  const lineEnd = source.indexOf('\n', lineStart);
  return {
    line: before.split('\n').length,
    column: Array.from(before.slice(lineStart)).length,
    lineText: source === '' ? undefined : source.slice(lineStart, lineEnd < 0 ? undefined : lineEnd),
  };
}

function formatIssue({ message, line, column, lineText }: Location & { message: string }): string {
  const head = `ERROR: <input>:${line}:${column + 1}: ${message}`;
  if (lineText === undefined || Buffer.byteLength(lineText) > maxSnippetLength) return head;
  const characters = Array.from(lineText.replaceAll('\t', ' '));
  const isWide = (character: string | undefined): boolean => (character?.codePointAt(0) ?? 0) > 0x7f;
  const dots = characters.slice(0, column).map((character) => (isWide(character) ? '\uff0e' : '.'));
  const caret = isWide(characters[column]) ? '\uff3e' : '^';
  return `${head}\n | ${characters.join('')}\n | ${dots.join('')}${caret}`;
}
