import { compareBytes, invariant, type JsonObject, type JsonValue, own, Float64 } from '../../meta/index.ts';
import { escapeHtml } from './escape-html.ts';
import { wellFormed } from './json-text.ts';

/** Writes canonical JSON of any value: the slow path of `encodeJson`, correct for all values. */
export function writeJson(value: JsonValue): string {
  return new JsonWriter((float) => numberText(float.valueOf())).text(value);
}

/** Like {@link writeJson}, with each `Float64` as it was written: `1.0`, not `1`. */
export function encodeJsonAsWritten(value: JsonValue): string {
  return new JsonWriter((float) => float.text).text(value);
}

class JsonWriter {
  readonly #parts: string[] = [];
  readonly #floatText: (value: Float64) => string;

  constructor(floatText: (value: Float64) => string) {
    this.#floatText = floatText;
  }

  text(value: JsonValue): string {
    this.#write(value);
    return this.#parts.join('');
  }

  #write(value: JsonValue): void {
    if (typeof value === 'string') this.#parts.push(quoteJson(value));
    else if (typeof value === 'number') this.#parts.push(numberText(value));
    else if (value instanceof Float64) this.#parts.push(this.#floatText(value));
    else if (typeof value !== 'object' || value === null) this.#parts.push(String(value));
    else if (Array.isArray(value)) this.#array(value);
    else this.#object(value);
  }

  #array(items: JsonValue[]): void {
    this.#parts.push('[');
    items.forEach((item, index) => {
      if (index > 0) this.#parts.push(',');
      this.#write(item);
    });
    this.#parts.push(']');
  }

  #object(object: JsonObject): void {
    this.#parts.push('{');
    let separator = '';
    for (const key of Object.keys(object).sort(compareBytes)) {
      const item = own(object, key);
      if (item === undefined) continue;
      this.#parts.push(separator, quoteJson(key), ':');
      this.#write(item);
      separator = ',';
    }
    this.#parts.push('}');
  }
}

function quoteJson(text: string): string {
  return escapeHtml(JSON.stringify(wellFormed(text)));
}

/** The shortest digits, as in ECMAScript; Go differs only in keeping the sign of zero. */
export function numberText(value: number): string {
  invariant(Number.isFinite(value), 'a number in JSON is finite');
  return Object.is(value, -0) ? '-0' : String(value);
}
