import type { JsonObject } from '../../meta/index.ts';
import type { Operation } from './operations.ts';
import type { Parameter } from './parameters.ts';
import { v2Form } from './spec-form.ts';

/** A parameter in the path or the query, as Swagger 2.0 has it. */
export function parameterObject({ name, in: place, description, type }: Parameter): JsonObject {
  const required = place === 'path' ? { required: true } : {};
  return { name, in: place, description, ...required, type, uniqueItems: true };
}

/** The body of a request, which is a parameter in Swagger 2.0. */
export function bodyParameter({ model, required }: NonNullable<Operation['body']>): JsonObject {
  return { name: 'body', in: 'body', ...(required ? { required } : {}), schema: v2Form.ref(model) };
}
