import { isError } from '../values/cel-error.ts';
import { CelBytes } from '../values/bytes.ts';
import { CelDouble } from '../values/double.ts';
import { CelDuration, formatDuration } from '../values/duration.ts';
import { formatGoFloat } from '../values/go-numbers.ts';
import { CelList } from '../values/list.ts';
import { CelMap } from '../values/map.ts';
import { CelMessage } from '../values/message.ts';
import { CelOptional } from '../values/optional.ts';
import { CelTimestamp, formatTimestamp } from '../values/timestamp.ts';
import { typeNameOf } from '../values/type-name.ts';
import { CelType } from '../values/type-value.ts';
import { CelUint } from '../values/uint.ts';
import type { Result, Value } from '../values/value.ts';

/**
 * A value as a CEL literal: `[1, "a"]`, `timestamp("2026-01-01T00:00:00Z")`. Beyond `charsMax` it is truncated with
 * `…`, and the rest is not read.
 */
export function valueText(value: Result, charsMax: number): string {
  const writer = new ValueWriter(charsMax);
  writer.write(value);
  return writer.text;
}

class ValueWriter {
  readonly #charsMax: number;
  #text = '';

  constructor(charsMax: number) {
    this.#charsMax = charsMax;
  }

  get text(): string {
    return this.#isFull ? `${this.#text.slice(0, this.#charsMax)}…` : this.#text;
  }

  get #isFull(): boolean {
    return this.#text.length > this.#charsMax;
  }

  write(value: Result): void {
    if (this.#isFull) return;
    if (isError(value)) this.#text += `error(${JSON.stringify(value.message)})`;
    else if (value instanceof CelList) this.#list(value);
    else if (value instanceof CelMap)
      this.#entries(value.keys().map((key) => [key, value.find(key) ?? null] as const));
    else if (value instanceof CelMessage) {
      this.#text += value.typeName;
      this.#entries([...value.fields]);
    } else if (value instanceof CelOptional) this.#optional(value);
    else this.#text += this.#scalar(value);
  }

  #list(list: CelList): void {
    this.#text += '[';
    for (let index = 0; index < list.size && !this.#isFull; index += 1) {
      if (index > 0) this.#text += ', ';
      this.write(list.at(index));
    }
    this.#text += ']';
  }

  #entries(entries: readonly (readonly [Value, Result])[]): void {
    this.#text += '{';
    for (const [index, [key, value]] of entries.entries()) {
      if (this.#isFull) break;
      if (index > 0) this.#text += ', ';
      this.write(key);
      this.#text += ': ';
      this.write(value);
    }
    this.#text += '}';
  }

  #optional({ value }: CelOptional): void {
    if (value === undefined) this.#text += 'optional.none()';
    else {
      this.#text += 'optional.of(';
      this.write(value);
      this.#text += ')';
    }
  }

  #scalar(value: Value): string {
    if (typeof value === 'string') return JSON.stringify(value.slice(0, this.#charsMax));
    if (typeof value !== 'object' || value === null) return String(value);
    if (value instanceof CelDouble) {
      const text = formatGoFloat(value.value);
      return /^-?\d+$/.test(text) ? `${text}.0` : text;
    }
    if (value instanceof CelUint) return `${value.value}u`;
    if (value instanceof CelBytes) {
      const shown = value.bytes.subarray(0, this.#charsMax);
      return `b"${Array.from(shown, (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}"`;
    }
    if (value instanceof CelTimestamp) return `timestamp("${formatTimestamp(value)}")`;
    if (value instanceof CelDuration) return `duration("${formatDuration(value)}")`;
    return value instanceof CelType ? value.name : typeNameOf(value);
  }
}
