import { invariant, type JsonObject, put } from '../../meta/index.ts';
import { isKindMessage, messageOf, messages } from './kinds.ts';
import type { Field } from './message-table.ts';

/** Schema properties of messages and fields besides their types: how lists merge, defaults. */
export interface FieldNotes {
  /** Added to the type of the field. */
  field(message: string, field: string): JsonObject | undefined;
  /** Added to the schema of every value of the message. */
  message(message: string): JsonObject | undefined;
  /** Replaces the schema of a scalar or a special type. */
  scalar?(type: string): JsonObject | undefined;
}

/** The types that contain no messages, by the names of `message-table.ts`. */
export const scalarSchemas: ReadonlyMap<string, JsonObject> = new Map<string, JsonObject>([
  ['string', { type: 'string' }],
  ['bool', { type: 'boolean' }],
  ['int32', { type: 'integer', format: 'int32' }],
  ['int64', { type: 'integer', format: 'int64' }],
  ['double', { type: 'number' }],
  ['bytes', { type: 'string', format: 'byte' }],
  ['Time', { type: 'string', format: 'date-time' }],
  ['MicroTime', { type: 'string', format: 'date-time' }],
  ['IntOrString', { 'x-kubernetes-int-or-string': true }],
  ['Quantity', { 'x-kubernetes-int-or-string': true }],
  ['ExtraValue', { type: 'array', items: { type: 'string' } }],
  ['RawJson', { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }],
]);

/** What an object within another one says of its type; messages do not carry it. */
const typeProperties: JsonObject = { apiVersion: { type: 'string' }, kind: { type: 'string' } };

/**
 * Derives the structural schemas of kinds from their messages, so that a kind is described once: for the wire, for
 * pruning and for documents. Schemas of the same message are the same object; they must not change.
 *
 *     const schemaOf = messageSchemas(notes);
 *     schemaOf('v1', 'ConfigMap').properties; // { metadata, data: { type: 'object', additionalProperties: ... }, ... }
 */
export function messageSchemas(notes: FieldNotes): (apiVersion: string, kind: string) => JsonObject {
  const made = new Map<string, JsonObject>();

  function schemaOfMessage(name: string): JsonObject {
    const known = made.get(name);
    if (known !== undefined) return known;
    const schema = Object.freeze({ type: 'object', properties: propertiesOf(name), ...notes.message(name) });
    made.set(name, schema);
    return schema;
  }

  /** The fields of an embedded message are fields of its parent. */
  function propertiesOf(name: string): JsonObject {
    const message = messages.get(name);
    invariant(message !== undefined, `the message ${name} has a description`);
    const properties: JsonObject = {};
    for (const field of message.fields) {
      if (field.name === '') Object.assign(properties, propertiesOf(field.type));
      else put(properties, field.name, { ...shapeOf(field), ...notes.field(name, field.name) });
    }
    return properties;
  }

  function schemaWithin(name: string): JsonObject {
    const schema = schemaOfMessage(name);
    if (!isKindMessage(name)) return schema;
    return { ...schema, properties: { ...typeProperties, ...propertiesOf(name) } };
  }

  function shapeOf({ shape, type }: Field): JsonObject {
    const one = notes.scalar?.(type) ?? scalarSchemas.get(type) ?? schemaWithin(type);
    if (shape === 'list') return { type: 'array', items: one };
    return shape === 'map' ? { type: 'object', additionalProperties: one } : one;
  }

  return (apiVersion, kind) => {
    const found = messageOf(apiVersion, kind);
    invariant(found !== undefined && 'message' in found, `${apiVersion} ${kind} has a message`);
    return schemaOfMessage(found.message);
  };
}
