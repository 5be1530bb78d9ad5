import { NumberSyntaxError, parseInt64 } from '../go/go-number.ts';
import { JsonPathError } from './json-path-error.ts';
import { FloatLiteral, type PathFilter, type PathNode, type PathNodes, type PathTemplate } from './nodes.ts';
import { unquote } from './unquote.ts';

const terminator = /[ \t\r\n.,[\]$@{}]/;
const wordStart = /[_\p{L}\p{Nd}]/u;
const digit = /\p{Nd}/u;
const printable = /[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;
const quotedKey = /^'([^']*)'$/;
const sliceShape = /^(-?[0-9]*)(:-?[0-9]*)?(:-?[0-9]*)?$/;
const comparison = /^([^!<>=]+)([!<>=]+)([^\n]+)$/;

/**
 * Parses a template: text with paths in braces, `name: {.metadata.name}`.
 *
 * @throws {JsonPathError} with client-go's message.
 */
export function parseTemplate(text: string): PathTemplate {
  const template: PathNodes[] = [];
  let at = 0;
  while (at < text.length) {
    const brace = text.indexOf('{', at);
    const end = brace === -1 ? text.length : brace;
    if (end > at) template.push([{ type: 'text', text: text.slice(at, end) }]);
    if (brace === -1) break;
    const reader = new ActionReader(text, brace + 1);
    template.push(reader.read());
    at = reader.end;
  }
  return template;
}

/** A single path, as in filters and brackets. Text after a closing brace is ignored. */
function parseInner(text: string): PathNodes {
  return parseTemplate(`{${text}}`)[0] ?? [];
}

/** Parses the content of a pair of braces. */
class ActionReader {
  readonly #text: string;
  #at: number;
  readonly #nodes: PathNode[] = [];

  constructor(text: string, at: number) {
    this.#text = text;
    this.#at = at;
  }

  /** The position after the closing brace. */
  get end(): number {
    return this.#at;
  }

  read(): PathNodes {
    for (;;) {
      if (this.#skip('}')) return this.#nodes;
      if (this.#skip('[?(')) this.#filter();
      else if (this.#skip('..')) this.#recursive();
      else this.#one();
    }
  }

  #one(): void {
    const char = this.#peek();
    if (char === '' || char === '\r' || char === '\n') throw new JsonPathError('unclosed action');
    if (char === '+' || char === '-' || digit.test(char)) this.#number();
    else if (wordStart.test(char)) this.#word();
    else this.#symbol(char);
  }

  #symbol(char: string): void {
    this.#at += char.length;
    if (char === '[') this.#brackets();
    else if (char === '"' || char === "'") this.#quoted(char);
    else if (char === '.') this.#field();
    // `@` and `$` are the object itself, where every path starts anyway.
    else if (char !== ' ' && char !== '@' && char !== '$') {
      throw new JsonPathError(`unrecognized character in action: ${describe(char)}`);
    }
  }

  #recursive(): void {
    if (this.#nodes.at(-1)?.type === 'recursive') {
      throw new JsonPathError('invalid multiple recursive descent');
    }
    this.#nodes.push({ type: 'recursive' });
    if (wordStart.test(this.#peek())) this.#field();
  }

  /** A backslash is removed and keeps the character after it. */
  #field(): void {
    const start = this.#at;
    for (let char = this.#peek(); char !== '' && !terminator.test(char); char = this.#peek()) {
      this.#at += char.length;
      if (char === '\\') this.#at += this.#peek().length;
    }
    const name = this.#text.slice(start, this.#at);
    this.#nodes.push(
      name === '*' ? { type: 'wildcard' } : { type: 'field', name: name.replaceAll('\\', '') },
    );
  }

  #word(): void {
    const word = this.#takeWhile((char) => !terminator.test(char));
    if (word === 'true' || word === 'false') this.#nodes.push({ type: 'boolean', value: word === 'true' });
    else this.#nodes.push({ type: 'word', word });
  }

  #number(): void {
    const sign = this.#skip('+') ? '+' : this.#skip('-') ? '-' : '';
    const text = sign + this.#takeWhile((char) => char === '.' || digit.test(char));
    this.#nodes.push(numberNode(text));
  }

  #quoted(quote: string): void {
    const start = this.#at - 1;
    for (;;) {
      const char = this.#peek();
      if (char === '' || char === '\n') throw new JsonPathError('unterminated quoted string');
      this.#at += char.length;
      if (char === quote && this.#text[this.#at - 2] !== '\\') break;
    }
    this.#nodes.push({ type: 'text', text: unquote(this.#text.slice(start, this.#at)) });
  }

  /** `[n]`, `[a:b:c]`, `[*]`, `['key']`, `[a,b]`. The first `]` ends it, even inside quotes. */
  #brackets(): void {
    const inner = this.#takeWhile((char) => char !== ']' && char !== '\n');
    if (!this.#skip(']')) throw new JsonPathError('unterminated array');
    const text = inner === '*' ? ':' : inner;
    const members = text.split(',');
    const key = quotedKey.exec(text)?.[1];
    if (members.length > 1) {
      const union = members.map((member) => parseInner(`[${member.replace(/^ +/, '').replace(/ +$/, '')}]`));
      this.#nodes.push({ type: 'union', members: union });
    } else if (key === undefined) {
      this.#nodes.push(sliceNode(text));
    } else {
      for (const node of parseInner(`.${key}`)) this.#nodes.push(node);
    }
  }

  /** The first `)` outside of the first quoted text ends it. */
  #filter(): void {
    const start = this.#at;
    let quote: string | undefined;
    let closed = true;
    for (;;) {
      const char = this.#peek();
      if (char === '' || char === '\n') throw new JsonPathError('unterminated filter');
      this.#at += char.length;
      if (char === ')' && closed) break;
      if (char !== '"' && char !== "'") continue;
      if (quote === undefined) {
        quote = char;
        closed = false;
      } else if (char === quote && this.#text[this.#at - 2] !== '\\') closed = true;
    }
    const text = this.#text.slice(start, this.#at - 1);
    if (!this.#skip(']')) throw new JsonPathError('unclosed array expect ]');
    this.#nodes.push({ type: 'filter', filter: parseFilter(text) });
  }

  #takeWhile(accept: (char: string) => boolean): string {
    const start = this.#at;
    for (let char = this.#peek(); char !== '' && accept(char); char = this.#peek()) this.#at += char.length;
    return this.#text.slice(start, this.#at);
  }

  #skip(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  /** The next character, empty at the end. */
  #peek(): string {
    const code = this.#text.codePointAt(this.#at);
    return code === undefined ? '' : String.fromCodePoint(code);
  }
}

function parseFilter(text: string): PathFilter {
  const [, left, operator, right] = comparison.exec(text) ?? [];
  if (left === undefined || operator === undefined || right === undefined) {
    return { left: parseInner(text), right: [], operator: 'exists' };
  }
  return { left: parseInner(left), right: parseInner(right), operator };
}

function sliceNode(text: string): PathNode {
  const found = sliceShape.exec(text);
  if (found === null) throw new JsonPathError(`invalid array index ${text}`);
  const bound = (part: string | undefined): number | undefined => {
    const digits = part?.startsWith(':') ? part.slice(1) : part;
    if (digits === undefined || digits === '') return undefined;
    const value = int64(digits);
    if (value === undefined) throw new JsonPathError(`array index ${digits} is not a number`);
    return Number(value);
  };
  const start = bound(found[1]);
  const isIndex = found[2] === undefined;
  const end = isIndex ? (start ?? 0) + 1 : bound(found[2]);
  return { type: 'slice', slice: { start, end, step: bound(found[3]), isIndex } };
}

function numberNode(text: string): PathNode {
  const integer = int64(text);
  if (integer !== undefined) {
    const value = Number(integer);
    return { type: 'integer', value: Number.isSafeInteger(value) ? value : integer };
  }
  const value = /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isFinite(value)) throw new JsonPathError(`cannot parse number ${text}`);
  return { type: 'float', value: new FloatLiteral(value) };
}

function int64(text: string): bigint | undefined {
  try {
    return parseInt64(text);
  } catch (error) {
    if (error instanceof NumberSyntaxError) return undefined;
    throw error;
  }
}

/** `U+002A '*'` */
function describe(char: string): string {
  const code = (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return printable.test(char) ? `U+${code} '${char}'` : `U+${code}`;
}
