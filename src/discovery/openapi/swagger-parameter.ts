import type { JsonObject } from '../../meta/index.ts';
import type { Operation } from './operations.ts';
import type { Parameter } from './parameters.ts';
import { v2Form } from './spec-form.ts';

/** A path or query parameter in Swagger 2.0. */
export function parameterObject({ name, in: place, description, type }: Parameter): JsonObject {
  const required = place === 'path' ? { required: true } : {};
  return { name, in: place, description, ...required, type, uniqueItems: true };
}

/** The request body, which Swagger 2.0 describes as a parameter. */
export function bodyParameter({ model, required }: NonNullable<Operation['body']>): JsonObject {
  return { name: 'body', in: 'body', ...(required ? { required } : {}), schema: v2Form.ref(model) };
}
