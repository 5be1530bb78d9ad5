import { type FieldError, invalid, type JsonObject, notSupported, own } from '../../meta/index.ts';

/** As upstream's own struct prints, which has no JSON names. */
function shown(strategy: JsonObject): string {
  return JSON.stringify({
    Type: own(strategy, 'type') ?? '',
    RollingUpdate: own(strategy, 'rollingUpdate') ?? null,
  });
}

/** The refusal of a strategy of another type. */
export function unknownStrategy(path: string, strategy: JsonObject, types: readonly string[]): FieldError {
  return { ...notSupported(path, {}, types), valueText: shown(strategy) };
}

/** The same, with the text of other kinds. */
export function invalidStrategy(path: string, strategy: JsonObject, detail: string): FieldError {
  return { ...invalid(path, {}, detail), valueText: shown(strategy) };
}
