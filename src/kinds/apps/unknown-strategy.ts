import {
  type FieldError,
  invalid,
  type JsonObject,
  type JsonValue,
  notSupported,
  own,
  ownObject,
} from '../../meta/index.ts';

/** The fields of a rolling update in the order of upstream's struct, with its names, which are not those of the JSON. */
export type RollingUpdateFields = readonly (readonly [field: string, shown: string, zero: JsonValue])[];

/** A rolling update as upstream's own struct prints. */
export function rollingUpdateStruct(update: JsonObject, fields: RollingUpdateFields): JsonObject {
  return Object.fromEntries(fields.map(([field, shown, zero]) => [shown, own(update, field) ?? zero]));
}

function strategyText(strategy: JsonObject, fields: RollingUpdateFields): string {
  const update = ownObject(strategy, 'rollingUpdate');
  return JSON.stringify({
    Type: own(strategy, 'type') ?? '',
    RollingUpdate: update === undefined ? null : rollingUpdateStruct(update, fields),
  });
}

/** The refusal of a strategy of another type. */
export function unknownStrategy(
  path: string,
  strategy: JsonObject,
  { types, fields }: { readonly types: readonly string[]; readonly fields: RollingUpdateFields },
): FieldError {
  return { ...notSupported(path, {}, types), valueText: strategyText(strategy, fields) };
}

/** The same, with the text of other kinds. */
export function invalidStrategy(
  path: string,
  strategy: JsonObject,
  { detail, fields }: { readonly detail: string; readonly fields: RollingUpdateFields },
): FieldError {
  return { ...invalid(path, {}, detail), valueText: strategyText(strategy, fields) };
}

/** The fields of DaemonSets and Deployments. */
export const surgeFields: RollingUpdateFields = [
  ['maxUnavailable', 'MaxUnavailable', 0],
  ['maxSurge', 'MaxSurge', 0],
];
