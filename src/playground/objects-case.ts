import { badRequestError, type JsonObject, own, ownString } from '../meta/index.ts';

/** Objects that a definition would have to accept: texts in YAML or JSON, in which lists count as what they hold. */
export interface ObjectsCase {
  readonly definition: string;
  readonly objects: string;
}

const fields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'definition', 'objects']);

/** Reads the body of a request. @throws {StatusError} 400 for what is not as documented */
export function readObjectsCase(value: JsonObject): ObjectsCase {
  const unknown = Object.keys(value).find((field) => !fields.has(field));
  if (unknown !== undefined) throw badRequestError(`unknown field ${JSON.stringify(unknown)}`);
  return { definition: textOf(value, 'definition'), objects: textOf(value, 'objects') };
}

function textOf(value: JsonObject, field: string): string {
  if (typeof own(value, field) !== 'string')
    throw badRequestError(`${field}: must be a text in YAML or JSON`);
  return ownString(value, field) ?? '';
}
