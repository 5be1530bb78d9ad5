import { isBreak, type TextTraits } from './text-traits.ts';

/** Lines are folded at the first space after this column. */
const foldColumn = 80;
const indentWidth = 2;

const shortEscapes: ReadonlyMap<number, string> = new Map([
  ...([
    [0x00, '0'],
    [0x07, 'a'],
    [0x08, 'b'],
    [0x09, 't'],
    [0x0a, 'n'],
    [0x0b, 'v'],
    [0x0c, 'f'],
  ] as const),
  ...([
    [0x0d, 'r'],
    [0x1b, 'e'],
    [0x22, '"'],
    [0x5c, '\\'],
    [0x85, 'N'],
    [0xa0, '_'],
  ] as const),
  ...([
    [0x2028, 'L'],
    [0x2029, 'P'],
  ] as const),
]);

/** Text that is never folded, with characters of one UTF-16 unit. */
const isOneWord = /^[\x21-\x7e]+$/;
/** The number of parts that are joined at a time. */
const partsMax = 4_096;

/**
 * Writes YAML tokens and tracks the column, as libyaml's emitter does: the previous output decides whether a space or
 * a line break is needed.
 */
export class YamlEmitter {
  /** The output; parts are joined from time to time, because a part may be one character. */
  readonly #joined: string[] = [];
  #parts: string[] = [];
  #column = 0;
  /** The last output was white space. */
  #whitespace = true;
  /** Only indentation and `-`, `?`, `:` have been written on this line. */
  #indention = true;

  text(): string {
    if (this.#column > 0) this.#break();
    return this.#joined.join('') + this.#parts.join('');
  }

  /** Moves to a column on a new line, unless the current line has only indicators before that column. */
  indent(column: number): void {
    if (!this.#indention || this.#column > column || (this.#column === column && !this.#whitespace))
      this.#break();
    if (this.#column < column) this.#put(' '.repeat(column - this.#column));
    this.#whitespace = true;
    this.#indention = true;
  }

  /** Writes `-`, `?`, or the `:` of a key on its own line. */
  blockIndicator(text: string): void {
    if (!this.#whitespace) this.#put(' ');
    this.#put(text);
    this.#whitespace = false;
  }

  /** Writes the `:` after a key on the same line. */
  colon(): void {
    this.#put(':');
    this.#whitespace = false;
    this.#indention = false;
  }

  /** Writes a token unchanged: `{}`, `true`, `12`. */
  token(text: string): void {
    this.#open(text);
  }

  plain(text: string, indent: number, isKey: boolean): void {
    this.#open('');
    if (isOneWord.test(text)) this.#put(text);
    else this.#folded(text, { indent, isKey, first: false, write: (char) => this.#put(char) });
    this.#close();
  }

  singleQuoted(text: string, indent: number, isKey: boolean): void {
    this.#open("'");
    const write = (char: string) => this.#put(char === "'" ? "''" : char);
    this.#folded(text, { indent, isKey, first: true, write });
    this.#put("'");
    this.#close();
  }

  doubleQuoted(text: string, indent: number, isKey: boolean): void {
    this.#open('"');
    const chars = [...text];
    let spaces = false;
    chars.forEach((char, index) => {
      const inside = index > 0 && index < chars.length - 1;
      const fold = char === ' ' && !isKey && !spaces && this.#column > foldColumn && inside;
      if (fold) {
        this.indent(indent);
        if (chars[index + 1] === ' ') this.#put('\\');
      } else {
        for (const part of escaped(char)) this.#put(part);
      }
      spaces = char === ' ';
    });
    this.#put('"');
    this.#close();
  }

  literal(text: string, indent: number, traits: TextTraits): void {
    this.#open('|');
    if (traits.leadingSpace || traits.leadingBreak) this.#put(String(indentWidth));
    if (!text.endsWith('\n')) this.#put('-');
    else if (text === '\n' || text.endsWith('\n\n')) this.#put('+');
    this.#break();
    this.#whitespace = true;
    this.#indention = true;
    for (const line of text.split(/(?<=\n)/)) {
      if (line !== '\n') {
        this.indent(indent);
        this.#put(line.replace('\n', ''));
        this.#indention = false;
      }
      if (line.endsWith('\n')) {
        this.#break();
        this.#indention = true;
      }
    }
  }

  #folded(
    text: string,
    how: { indent: number; isKey: boolean; first: boolean; write: (char: string) => void },
  ): void {
    const chars = [...text];
    let spaces = false;
    chars.forEach((char, index) => {
      const inside = !how.first || (index > 0 && index < chars.length - 1);
      const foldable = !how.isKey && !spaces && this.#column > foldColumn && inside;
      if (char === ' ' && foldable && chars[index + 1] !== ' ') {
        this.indent(how.indent);
      } else {
        how.write(char);
        if (char !== ' ') this.#indention = false;
      }
      spaces = char === ' ';
    });
  }

  #open(text: string): void {
    if (!this.#whitespace) this.#put(' ');
    this.#put(text);
    this.#close();
  }

  #close(): void {
    this.#whitespace = false;
    this.#indention = false;
  }

  #put(text: string): void {
    this.#parts.push(text);
    if (this.#parts.length >= partsMax) {
      this.#joined.push(this.#parts.join(''));
      this.#parts = [];
    }
    this.#column += text.length === 2 && text.charCodeAt(0) >= 0xd800 ? 1 : text.length;
  }

  #break(): void {
    this.#parts.push('\n');
    this.#column = 0;
  }
}

function escaped(char: string): string[] {
  const code = char.codePointAt(0) ?? 0;
  if (isPrintable(code) && !isBreak(char) && char !== '"' && char !== '\\') return [char];
  const short = shortEscapes.get(code);
  if (short !== undefined) return ['\\', short];
  const hex = code.toString(16).toUpperCase();
  if (code <= 0xff) return ['\\x', hex.padStart(2, '0')];
  return code <= 0xffff ? ['\\u', hex.padStart(4, '0')] : ['\\U', hex.padStart(8, '0')];
}

/** The characters that libyaml writes unescaped; no tabs, and nothing beyond U+FFFF. */
function isPrintable(code: number): boolean {
  if (code === 0x0a || (code >= 0x20 && code <= 0x7e)) return true;
  return (code >= 0xa0 && code <= 0xd7ff) || (code >= 0xe000 && code <= 0xfffd && code !== 0xfeff);
}
