import { type Event, parseEvents, YAMLException } from 'js-yaml';
import { limits, type Steps } from '../../meta/index.ts';

/** The events of a document, and the text that their positions refer to. */
export interface ParsedText {
  readonly text: string;
  readonly events: Iterable<Event>;
}

/**
 * Parses a document as go-yaml does if flow collections and quoted scalars span lines: these lines may have any
 * indent, even at the column of their key or to the left of it.
 *
 *     labels: {
 *       a: b
 *     }
 *
 * YAML 1.2 and the parser require a deeper indent. A line that the parser refuses is moved to the right, where white
 * space has no meaning, and the document is parsed again; the number of lines does not change. Each parse is a step.
 *
 * @throws {YAMLException} for any other error, and if too many lines would have to be moved.
 */
export function* parseAnyFlowIndentation(source: string): Steps<ParsedText> {
  let text = source;
  let charsLeft = limits.yamlReparseCharsMax;
  for (;;) {
    try {
      // The parser counts a scalar as a level.
      return { text, events: parseEvents(text, { maxDepth: limits.nestingDepthMax + 1 }) };
    } catch (error) {
      if (!(error instanceof YAMLException) || error.reason !== 'deficient indentation') throw error;
      charsLeft -= text.length;
      const moved = charsLeft < 0 ? undefined : moveLine(text, error.mark?.position ?? 0);
      if (moved === undefined) throw error;
      text = moved;
    }
    yield;
  }
}

/** Moves the line at a position to the right of all indentation before it; undefined if it is there already. */
function moveLine(text: string, position: number): string | undefined {
  const start = text.lastIndexOf('\n', position - 1) + 1;
  const indent = indentAt(text, start);
  const wanted = 1 + deepestIndent(text, start);
  if (indent >= wanted) return undefined;
  return `${text.slice(0, start)}${' '.repeat(wanted - indent)}${text.slice(start)}`;
}

/** The last column that may start a block, on a line before a position. */
function deepestIndent(text: string, end: number): number {
  let deepest = 0;
  for (let start = 0; start < end; start = text.indexOf('\n', start) + 1) {
    blockStart.lastIndex = start;
    const indent = blockStart.exec(text)?.[0].length ?? 0;
    if (indent > deepest) deepest = indent;
  }
  return deepest;
}

/** Indentation with the indicators of compact collections: `  - - a` starts blocks at 2, 4 and 6. */
const blockStart = /(?: |[-?:] )*/y;

function indentAt(text: string, start: number): number {
  let at = start;
  while (text[at] === ' ') at += 1;
  return at - start;
}
