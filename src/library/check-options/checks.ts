import type { NumberRule } from '../../server.ts';
import { invalidOption, OptionError } from './option-error.ts';
import { similarName } from './similar-name.ts';

/** Checks the value of an option. @throws {OptionError} */
export type Check = (value: unknown, option: string) => void;

/** A check by a condition. */
function must(holds: (value: unknown) => boolean, reason: string): Check {
  return (value, option) => {
    if (!holds(value)) throw invalidOption(option, value, reason);
  };
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const boolean = must((value) => typeof value === 'boolean', 'not a boolean.');
export const text = must((value) => typeof value === 'string' && value !== '', 'not a text.');
export const callback = must((value) => typeof value === 'function', 'not a function.');
export const object = must(isPlain, 'not an object.');
export const manifest = must(
  (value) => (typeof value === 'string' && value !== '') || isPlain(value),
  'not a path, a file: URL or an object.',
);

/** An object with these methods, of any class. */
export function having(...methods: readonly string[]): Check {
  const has = (value: unknown) =>
    isPlain(value) && methods.every((name) => typeof Reflect.get(value, name) === 'function');
  return must(has, `not an object with ${methods.map((name) => `${name}()`).join(' and ')}.`);
}

/** A number in the range of the corresponding flag. */
export function number({ min, max, reason }: NumberRule): Check {
  const fits = (value: unknown) =>
    Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max;
  return must(fits, reason);
}

/** One of these values, or a value that another check accepts. */
export function either(first: Check, isSecond: (value: unknown) => boolean): Check {
  return (value, option) => {
    if (!isSecond(value)) first(value, option);
  };
}

export function listOf(check: Check): Check {
  return (value, option) => {
    if (!Array.isArray(value)) throw invalidOption(option, value, 'not a list.');
    for (const [index, one] of value.entries()) check(one, `${option}[${index}]`);
  };
}

export function recordOf(check: Check): Check {
  return (value, option) => {
    object(value, option);
    for (const [name, one] of Object.entries(Object(value))) check(one, `${option}.${name}`);
  };
}

/** An object with these fields, all optional, and no others. */
export function fields(known: Readonly<Record<string, Check>>): Check {
  return (value, option) => {
    object(value, option);
    const prefix = option === '' ? '' : `${option}.`;
    for (const [name, one] of Object.entries(Object(value))) {
      if (!Object.hasOwn(known, name)) throw unknownOption(prefix, name, Object.keys(known));
      if (one !== undefined) known[name]?.(one, `${prefix}${name}`);
    }
  };
}

/** Like {@link fields}, with some required fields. */
export function required(names: readonly string[], check: Check): Check {
  return (value, option) => {
    check(value, option);
    for (const name of names) {
      if (Reflect.get(Object(value), name) !== undefined) continue;
      throw new OptionError(`startServer: required option '${option}.${name}' not specified`);
    }
  };
}

function unknownOption(prefix: string, name: string, known: readonly string[]): OptionError {
  const near = similarName(name, known);
  const hint = near === undefined ? `they are ${known.join(', ')}` : `Did you mean ${prefix}${near}?`;
  return new OptionError(`startServer: unknown option '${prefix}${name.slice(0, 100)}' (${hint})`);
}

/** A check whose errors are made by the caller. */
export function passing(run: (value: unknown) => void, check: Check): Check {
  return (value, option) => {
    check(value, option);
    try {
      run(value);
    } catch (error) {
      throw invalidOption(option, value, error instanceof Error ? error.message : String(error));
    }
  };
}
