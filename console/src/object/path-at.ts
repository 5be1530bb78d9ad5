import type { FieldPath } from './yaml-text.ts';

/** The context of a cursor position in a text that may not be valid YAML yet. */
interface TextPlace {
  /** The path of the enclosing fields. */
  readonly parents: FieldPath;
  /** The key on its line, as far as it is typed. */
  readonly key: string;
  /** Whether the cursor is behind the colon. */
  readonly isValue: boolean;
  /** The start of the word at the cursor. */
  readonly from: number;
}

const linePattern = /^(\s*)((?:-\s+)*)("[^"]*"|'[^']*'|[^\s#:'"][^#:]*)?(:(?:\s|$))?/;
/** Longer texts are not analyzed: completion must be immediate. */
const linesMax = 20_000;

/** Scans upwards by indentation. */
export function placeAt(text: string, position: number): TextPlace {
  const start = text.lastIndexOf('\n', position - 1) + 1;
  const end = text.indexOf('\n', position);
  const line = text.slice(start, end === -1 ? undefined : end);
  const { column, key, colonAt, keyAt, dashes } = readLine(line);
  const isValue = colonAt !== undefined && position - start > colonAt;
  const from = isValue ? start + colonAt + 1 + spacesAfter(line, colonAt + 1) : start + keyAt;
  return {
    parents: parentsOf(text.slice(0, start), { column, dashes }),
    key,
    isValue,
    from: Math.min(from, position),
  };
}

interface Line {
  /** The column of the key. */
  readonly column: number;
  readonly key: string;
  readonly keyAt: number;
  readonly colonAt: number | undefined;
  /** The columns of the dashes before the key. */
  readonly dashes: readonly number[];
  readonly isEmpty: boolean;
}

function readLine(line: string): Line {
  const [whole = '', spaces = '', marks = '', key = '', colon] = linePattern.exec(line) ?? [];
  const column = spaces.length + marks.length;
  const dashes = [...marks.matchAll(/-/g)].map(({ index }) => spaces.length + index);
  const colonAt = colon === undefined ? undefined : whole.length - colon.length;
  const plain = key.trim().replace(/^["']|["']$/g, '');
  return {
    column,
    key: plain,
    keyAt: column,
    colonAt,
    dashes,
    isEmpty: line.trim() === '' || line.trimStart().startsWith('#'),
  };
}

function spacesAfter(line: string, at: number): number {
  return /^\s*/.exec(line.slice(at))?.[0].length ?? 0;
}

/**
 * Every dash and key further left than the last one found encloses it; a dash also does in the same column as the key
 * of its list.
 */
function parentsOf(before: string, { column, dashes }: Pick<Line, 'column' | 'dashes'>): FieldPath {
  const path: (string | number)[] = [];
  let keysBefore = column;
  let dashesBefore = column;
  const takeDashes = (columns: readonly number[]) => {
    for (const dash of columns.toReversed()) {
      if (dash >= dashesBefore) continue;
      path.unshift(0);
      keysBefore = dash + 1;
      dashesBefore = dash;
    }
  };
  takeDashes(dashes);
  for (const text of before.split('\n').slice(-linesMax).toReversed()) {
    const line = readLine(text);
    if (line.isEmpty) continue;
    if (line.colonAt !== undefined && line.column < keysBefore) {
      path.unshift(line.key);
      keysBefore = line.column;
      dashesBefore = line.column;
    }
    // The dashes of a line whose key is not a parent belong to a sibling item.
    if (line.column <= keysBefore || line.dashes.some((dash) => dash < dashesBefore)) takeDashes(line.dashes);
    if (keysBefore === 0) break;
  }
  return path;
}
