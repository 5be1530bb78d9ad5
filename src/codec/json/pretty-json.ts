import type { JsonValue } from '../../meta/index.ts';
import { encodeJson } from './encode-json.ts';

const quote = 0x22;
const backslash = 0x5c;
const newline = 0x0a;

/** Canonical JSON with an indent of two spaces, as `?pretty` asks for; empty objects and lists stay on one line. */
export function encodeJsonPretty(value: JsonValue): Buffer {
  return prettyJson(encodeJson(value));
}

/**
 * Adds line breaks and an indent of two spaces to well-formed JSON bytes, as Go's `json.Indent` does. Tokens are
 * copied, so numbers and escapes do not change.
 */
export function prettyJson(bytes: Uint8Array): Buffer {
  const layout = new Layout(bytes.length);
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === quote) {
      const end = stringEnd(bytes, at);
      layout.token(bytes.subarray(at, end));
      at = end - 1;
    } else if (byte > 0x20) {
      layout.byte(byte);
    }
  }
  return layout.bytes();
}

/** The position after the closing quote of the string that starts here. */
function stringEnd(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at += 1) {
    if (bytes[at] === backslash) at += 1;
    else if (bytes[at] === quote) return at + 1;
  }
  return bytes.length;
}

class Layout {
  #buffer: Buffer;
  #length = 0;
  #depth = 0;
  /** The last token is an opening bracket: the next token decides whether a line break follows. */
  #opened = false;

  constructor(sourceBytes: number) {
    this.#buffer = Buffer.allocUnsafe(sourceBytes * 2 + 16);
  }

  token(bytes: Uint8Array): void {
    this.#breakAfterOpening();
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  byte(byte: number): void {
    if (byte === 0x7d || byte === 0x5d) {
      this.#depth -= 1;
      if (this.#opened) this.#opened = false;
      else this.#breakLine();
      this.#push(byte);
      return;
    }
    this.#breakAfterOpening();
    this.#push(byte);
    if (byte === 0x7b || byte === 0x5b) {
      this.#depth += 1;
      this.#opened = true;
    } else if (byte === 0x2c) {
      this.#breakLine();
    } else if (byte === 0x3a) {
      this.#push(0x20);
    }
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  #breakAfterOpening(): void {
    if (!this.#opened) return;
    this.#opened = false;
    this.#breakLine();
  }

  #breakLine(): void {
    const indent = Math.max(this.#depth, 0) * 2;
    this.#reserve(indent + 1);
    this.#buffer[this.#length] = newline;
    this.#buffer.fill(0x20, this.#length + 1, this.#length + 1 + indent);
    this.#length += indent + 1;
  }

  #push(byte: number): void {
    this.#reserve(1);
    this.#buffer[this.#length] = byte;
    this.#length += 1;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe((this.#length + more) * 2);
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}
