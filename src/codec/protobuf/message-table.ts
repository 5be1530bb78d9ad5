import { invariant } from '../../meta/index.ts';

/** One field of a message: its number on the wire and its name in JSON. */
export interface Field {
  readonly number: number;
  /** The JSON name; empty for an embedded message, whose fields are fields of its parent in JSON. */
  readonly name: string;
  /** A scalar, a special type of `special-types.ts`, or the name of a message. */
  readonly type: string;
  readonly shape: 'single' | 'list' | 'map';
  /** The Go type of a string with a named type: `v1.Protocol`. */
  readonly named: string | undefined;
  /** A zero on the wire is kept in JSON, because the field is a pointer or its tag has no `omitempty`. */
  readonly keepsZero: boolean;
  /** Present in JSON even if not set: the field is not a pointer, and is a struct or has no `omitempty`. */
  readonly isAlways: boolean;
  /** Null in JSON if not set: a pointer without `omitempty`. */
  readonly isNullable: boolean;
}

/** The fields of a message, by number and by JSON name. */
export interface Message {
  readonly fields: readonly Field[];
  readonly byNumber: ReadonlyMap<number, Field>;
}

const fieldForm = /^(\d+) ([^ !?]+)(!{0,2}|\?) (\[\]|\{\})?([^ /]+)(?:\/([^ ]+))?$/;

/**
 * Parses message descriptions. One message is `Name: field, field, ...`, continued on indented lines; a field
 * consists of its number, its JSON name and its type:
 *
 *     Secret: 1 metadata!! ObjectMeta, 2 data {}bytes, 3 type string/SecretType, 5 immutable! bool
 *
 * `[]` is a list, `{}` a map from strings. `!` keeps a zero that is on the wire: Go writes all fields that are not
 * pointers, and its JSON omits zero fields with `omitempty`. `!!` is always present: a struct that is not a pointer,
 * or a field without `omitempty`; `?` is null if not set. After a slash follows the Go type of a string, in package
 * `v1` unless it names one. The name `...` embeds the message: its fields are fields of the parent.
 */
export function parseMessages(text: string): Map<string, Message> {
  return new Map([...entriesOf(text)].map(([name, fields]) => [name, parseMessage(fields)]));
}

/** Messages by name. Each is parsed on first use: a server needs a few of them, and parsing all would add 6 ms to its start. */
export class Messages {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #parsed = new Map<string, Message>();

  /** @param texts as {@link parseMessages} takes them; of two messages with one name, the last counts */
  constructor(texts: readonly string[]) {
    this.#texts = new Map(texts.flatMap((text) => [...entriesOf(text)]));
  }

  has(name: string): boolean {
    return this.#texts.has(name);
  }

  get(name: string): Message | undefined {
    const known = this.#parsed.get(name);
    if (known !== undefined) return known;
    const text = this.#texts.get(name);
    if (text === undefined) return undefined;
    const message = parseMessage(text);
    this.#parsed.set(name, message);
    return message;
  }

  keys(): IterableIterator<string> {
    return this.#texts.keys();
  }
}

/** Names, and the text of their fields. */
function* entriesOf(text: string): Generator<[string, string]> {
  for (const entry of text.trim().split(/\n(?! )/)) {
    const colon = entry.indexOf(':');
    yield [entry.slice(0, colon), entry.slice(colon + 1)];
  }
}

function parseMessage(text: string): Message {
  const fields = text
    .split(',')
    .map((field) => field.replace(/\s+/g, ' ').trim())
    .filter((field) => field !== '')
    .map(parseField);
  const byNumber = new Map(fields.map((field) => [field.number, field]));
  return Object.freeze({ fields, byNumber });
}

function parseField(text: string): Field {
  const match = fieldForm.exec(text);
  invariant(match !== null, `a field is written "number name type", not ${JSON.stringify(text)}`);
  const [, number = '', name = '', bang = '', brackets, type = '', named] = match;
  return Object.freeze({
    number: Number(number),
    name: name === '...' ? '' : name,
    type,
    shape: brackets === '[]' ? 'list' : brackets === '{}' ? 'map' : 'single',
    named: named === undefined || named.includes('.') ? named : `v1.${named}`,
    keepsZero: bang !== '',
    isAlways: bang === '!!',
    isNullable: bang === '?',
  });
}
