import type { FieldPath } from './yaml-text.ts';

/** What stands around a place in a text that is being written, and may be no YAML yet. */
export interface TextPlace {
  /** The fields around it. */
  readonly parents: FieldPath;
  /** The key of its line, as far as it is written. */
  readonly key: string;
  /** Whether the place is behind the colon. */
  readonly isValue: boolean;
  /** Where the word at the place begins. */
  readonly from: number;
}

const linePattern = /^(\s*)((?:-\s+)*)("[^"]*"|'[^']*'|[^\s#:'"][^#:]*)?(:(?:\s|$))?/;
/** Longer texts are not looked through: a completion must come at once. */
const linesMax = 20_000;

/** Reads upwards by indentation, as people do. */
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
  /** Of the key. */
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
 * Every dash and key further left than what was found last is around it; a dash, also where it stands in the column of the
 * key that has the list.
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
    // The dashes of a line whose key is no parent are those of an item beside.
    if (line.column <= keysBefore || line.dashes.some((dash) => dash < dashesBefore)) takeDashes(line.dashes);
    if (keysBefore === 0) break;
  }
  return path;
}
