import { invariant } from '../../meta/index.ts';

/** One field of a message: its number on the wire and its name in JSON. */
export interface Field {
  readonly number: number;
  /** The JSON name; empty where the fields of the message stand among those of its parent in JSON. */
  readonly name: string;
  /** A scalar, a special type of `special-types.ts`, or the name of a message. */
  readonly type: string;
  readonly shape: 'single' | 'list' | 'map';
  /** What Go calls the type of a string that is a type of its own: `v1.Protocol`. */
  readonly named: string | undefined;
  /** A zero on the wire is shown in JSON, because the field is a pointer or its tag has no `omitempty`. */
  readonly keepsZero: boolean;
  /** Shown in JSON even where nobody set it: the field is no pointer, and a struct or without `omitempty`. */
  readonly isAlways: boolean;
  /** Shown as null in JSON where nobody set it: a pointer without `omitempty`. */
  readonly isNullable: boolean;
}

/** The fields of a message, by number and by JSON name. */
export interface Message {
  readonly fields: readonly Field[];
  readonly byNumber: ReadonlyMap<number, Field>;
}

const fieldForm = /^(\d+) ([^ !?]+)(!{0,2}|\?) (\[\]|\{\})?([^ /]+)(?:\/([^ ]+))?$/;

/**
 * Reads message descriptions. One message is `Name: field, field, ...`, continued on indented lines; a field is its
 * number, its JSON name and its type:
 *
 *     Secret: 1 metadata!! ObjectMeta, 2 data {}bytes, 3 type string/SecretType, 5 immutable! bool
 *
 * `[]` is a list, `{}` a map from strings. `!` keeps a zero that is on the wire: Go writes all fields that are no
 * pointers, and its JSON leaves out those with `omitempty` that are zero. `!!` is there in any case: a struct that is
 * no pointer, or a field without `omitempty`; `?` is null where nobody set it. After a slash stands the name of the
 * type of a string, of the package `v1` where it names none. The name `...` puts the fields of the message among those
 * of its parent.
 */
export function parseMessages(text: string): Map<string, Message> {
  const messages = new Map<string, Message>();
  for (const entry of text.trim().split(/\n(?! )/)) {
    const colon = entry.indexOf(':');
    const fields = entry
      .slice(colon + 1)
      .split(',')
      .map((field) => field.replace(/\s+/g, ' ').trim())
      .filter((field) => field !== '')
      .map(parseField);
    const byNumber = new Map(fields.map((field) => [field.number, field]));
    messages.set(entry.slice(0, colon), Object.freeze({ fields, byNumber }));
  }
  return messages;
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
