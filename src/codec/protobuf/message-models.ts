import { invariant, type JsonObject, put } from '../../meta/index.ts';
import { messageOf, messages } from './kinds.ts';
import { type FieldNotes, scalarSchemas } from './message-schema.ts';
import type { Field } from './message-table.ts';

/** What models need besides {@link FieldNotes}. */
interface ModelNotes extends Omit<FieldNotes, 'scalar'> {
  /** Returns a reference to the model of a message or special type; undefined if it is written inline. */
  reference(type: string): JsonObject | undefined;
  /**
   * The allowed values of a Go string type, by its name in the table (`v1.Protocol`); undefined if it has no list of
   * values.
   */
  enumOf(named: string): readonly string[] | undefined;
  /** True if every value of the message has the field. */
  isRequired(message: string, field: Field): boolean;
}

/**
 * The schemas of a kind's message and of all messages that it refers to, by name, with references as the notes say.
 * Source of the shape: kube-openapi, which makes a definition of each Go type.
 */
export function messageModels(
  notes: ModelNotes,
): (apiVersion: string, kind: string) => ReadonlyMap<string, JsonObject> {
  const made = new Map<string, JsonObject>();
  const references = new Map<string, readonly string[]>();

  function modelOf(name: string): JsonObject {
    const known = made.get(name);
    if (known !== undefined) return known;
    const fields = fieldsOf(name);
    const properties: JsonObject = {};
    for (const { message, field } of fields) {
      put(properties, field.name, propertyOf(field, notes.field(message, field.name)));
    }
    const required = fields
      .filter(({ message, field }) => notes.isRequired(message, field))
      .map(({ field }) => field.name)
      .sort();
    const model = Object.freeze({
      type: 'object',
      ...(required.length === 0 ? {} : { required }),
      properties,
      ...notes.message(name),
    });
    made.set(name, model);
    return model;
  }

  function propertyOf({ shape, type, named }: Field, said: JsonObject | undefined): JsonObject {
    const reference = notes.reference(type);
    const choices = named === undefined ? undefined : notes.enumOf(named);
    const scalar = choices === undefined ? {} : { enum: [...choices] };
    const one = reference ?? { ...scalarSchemas.get(type), ...scalar };
    if (shape === 'list') return { type: 'array', items: one, 'x-kubernetes-list-type': 'atomic', ...said };
    if (shape === 'map') return { type: 'object', additionalProperties: one, ...said };
    if (reference === undefined || said === undefined || Object.keys(said).length === 0)
      return { ...one, ...said };
    return { allOf: [one], ...said };
  }

  /** The messages that a message has in its fields. */
  function referencesOf(name: string): readonly string[] {
    const known = references.get(name);
    if (known !== undefined) return known;
    const types = fieldsOf(name).map(({ field }) => field.type);
    const found = types.filter((type) => !scalarSchemas.has(type) && messages.has(type));
    references.set(name, found);
    return found;
  }

  return (apiVersion, kind) => {
    const found = messageOf(apiVersion, kind);
    invariant(found !== undefined && 'message' in found, `${apiVersion} ${kind} has a message`);
    const names = reachable(found.message, referencesOf);
    return new Map([...names].map((name) => [name, modelOf(name)]));
  };
}

interface PlacedField {
  /** The message that contains the field. */
  readonly message: string;
  readonly field: Field;
}

/** The fields of an embedded message are fields of its parent. */
function fieldsOf(message: string): PlacedField[] {
  const found = messages.get(message);
  invariant(found !== undefined, `the message ${message} has a description`);
  return found.fields.flatMap((field) => (field.name === '' ? fieldsOf(field.type) : [{ message, field }]));
}

function reachable(root: string, referencesOf: (name: string) => readonly string[]): Set<string> {
  const names = new Set<string>();
  const waiting = [root];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (names.has(name)) continue;
    names.add(name);
    waiting.push(...referencesOf(name));
  }
  return names;
}
