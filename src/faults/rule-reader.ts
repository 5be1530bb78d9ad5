import {
  type FieldError,
  forbidden,
  invalid,
  isObject,
  type JsonObject,
  type JsonValue,
  notSupported,
  own,
  required,
} from '../meta/index.ts';

/** The range of a number. */
interface NumberBounds {
  readonly min: number;
  readonly max?: number;
  readonly integer?: boolean;
}

/** Reads the fields of a rule, and collects the errors; {@link finish} adds the unknown fields. */
export class RuleReader {
  readonly #object: JsonObject;
  readonly #path: string;
  readonly #errors: FieldError[];
  readonly #read = new Set<string>();

  constructor(object: JsonObject, errors: FieldError[], path = '') {
    this.#object = object;
    this.#errors = errors;
    this.#path = path;
  }

  /** A number in a range; `otherwise` if it is absent or invalid. */
  number<T>(name: string, bounds: NumberBounds, otherwise: T): number | T {
    const value = this.#take(name);
    if (value === undefined) return otherwise;
    const problem = numberProblem(value, bounds);
    if (problem === undefined && typeof value === 'number') return value;
    this.#errors.push(invalid(this.#at(name), value, problem ?? ''));
    return otherwise;
  }

  /** Like {@link number}, for a required field. */
  requiredNumber(name: string, bounds: NumberBounds): number {
    if (own(this.#object, name) === undefined) this.#errors.push(required(this.#at(name)));
    return this.number(name, bounds, bounds.min);
  }

  text(name: string, otherwise: string): string {
    const value = this.#take(name);
    if (value === undefined) return otherwise;
    if (typeof value === 'string') return value;
    this.#errors.push(invalid(this.#at(name), value, 'must be a string'));
    return otherwise;
  }

  flag(name: string): boolean {
    const value = this.#take(name);
    if (value === undefined || typeof value === 'boolean') return value ?? false;
    this.#errors.push(invalid(this.#at(name), value, 'must be true or false'));
    return false;
  }

  /** One of these values; the first one if it is absent or invalid. */
  choice<T extends string>(name: string, words: readonly [T, ...T[]]): T {
    const value = this.#take(name);
    const found = words.find((word) => word === value);
    if (value !== undefined && found === undefined) {
      this.#errors.push(notSupported(this.#at(name), value, words));
    }
    return found ?? words[0];
  }

  /** A list of strings; undefined if it is absent or invalid. */
  texts(name: string): readonly string[] | undefined {
    const value = this.#take(name);
    if (value === undefined) return undefined;
    if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
    this.#errors.push(invalid(this.#at(name), value, 'must be a list of strings'));
    return undefined;
  }

  /** A list of these values; undefined if it is absent or invalid. */
  choices<T extends string>(name: string, words: readonly T[]): readonly T[] | undefined {
    const values = this.texts(name);
    return values?.flatMap((value, index) => {
      const found = words.find((word) => word === value);
      if (found !== undefined) return [found];
      this.#errors.push(notSupported(`${this.#at(name)}[${index}]`, value, words));
      return [];
    });
  }

  /** A reader for an object in a field; for an empty object if it is absent or invalid. */
  object(name: string): RuleReader {
    const value = this.#take(name);
    if (value !== undefined && !isObject(value)) {
      this.#errors.push(invalid(this.#at(name), value, 'must be an object'));
    }
    return new RuleReader(isObject(value) ? value : {}, this.#errors, `${this.#at(name)}.`);
  }

  /** Reports a field that conflicts with others. */
  refuse(name: string, why: string): void {
    this.#errors.push(forbidden(this.#at(name), why));
  }

  /** Reports the fields that were not read. */
  finish(): void {
    for (const name of Object.keys(this.#object)) {
      if (!this.#read.has(name)) this.refuse(name, 'unknown field');
    }
  }

  #take(name: string): JsonValue | undefined {
    this.#read.add(name);
    return own(this.#object, name);
  }

  #at(name: string): string {
    return `${this.#path}${name}`;
  }
}

function numberProblem(value: JsonValue, { min, max, integer = false }: NumberBounds): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number';
  if (integer && !Number.isInteger(value)) return 'must be an integer';
  if (value < min) return `must be greater than or equal to ${min}`;
  if (max !== undefined && value > max) return `must be less than or equal to ${max}`;
  return undefined;
}
