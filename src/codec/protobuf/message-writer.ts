import { invariant, isObject, type JsonValue, own } from '../../meta/index.ts';
import { messages } from './kinds.ts';
import type { Field } from './message-table.ts';
import { specialTypes, wrongType } from './special-types.ts';
import { WireWriter } from './wire-writer.ts';

/**
 * Encodes a JSON object as a message. Unknown keys are dropped, as in Go.
 *
 * @throws {DecodeError} for a value that its field cannot hold.
 */
export function writeMessage(value: JsonValue, name: string): Uint8Array {
  const message = messages.get(name);
  invariant(message !== undefined, `the message ${name} has a description`);
  if (!isObject(value)) throw wrongType(name, 'message');
  const writer = new WireWriter();
  for (const field of message.fields) {
    if (field.name === '') writer.bytes(field.number, writeMessage(value, field.type));
    else writeField(writer, field, own(value, field.name));
  }
  return writer.finish();
}

function writeField(writer: WireWriter, field: Field, value: JsonValue | undefined): void {
  if (value === undefined || value === null) return;
  if (field.shape === 'single') writeValue(writer, field, value);
  else if (field.shape === 'list') writeItems(writer, field, value);
  else writeEntries(writer, field, value);
}

function writeItems(writer: WireWriter, field: Field, value: JsonValue): void {
  if (!Array.isArray(value)) throw wrongType(field.name, `list of ${field.type}`);
  for (const item of value) writeValue(writer, field, item);
}

function writeEntries(writer: WireWriter, field: Field, value: JsonValue): void {
  if (!isObject(value)) throw wrongType(field.name, `map of ${field.type}`);
  for (const key of Object.keys(value).sort()) {
    const entry = new WireWriter();
    entry.string(1, key);
    writeValue(entry, { ...field, number: 2 }, own(value, key) ?? null);
    writer.bytes(field.number, entry.finish());
  }
}

function writeValue(writer: WireWriter, field: Field, value: JsonValue): void {
  if (!writeScalar(writer, field, value)) writer.bytes(field.number, bytesOf(field, value));
}

/** False if the field is not a scalar. */
function writeScalar(writer: WireWriter, field: Field, value: JsonValue): boolean {
  switch (field.type) {
    case 'bool':
      if (typeof value !== 'boolean') throw wrongType(field.name, field.type);
      writer.bool(field.number, value);
      return true;
    case 'int32':
    case 'int64':
      if (typeof value !== 'bigint' && !Number.isInteger(value)) throw wrongType(field.name, field.type);
      writer.integer(field.number, BigInt(String(value)));
      return true;
    case 'double':
      if (typeof value !== 'number' && typeof value !== 'bigint') throw wrongType(field.name, field.type);
      writer.double(field.number, Number(value));
      return true;
    default:
      return false;
  }
}

function bytesOf(field: Field, value: JsonValue): Uint8Array {
  if (field.type === 'string' || field.type === 'bytes') {
    if (typeof value !== 'string') throw wrongType(field.name, field.type);
    return Buffer.from(value, field.type === 'string' ? 'utf8' : 'base64');
  }
  const special = specialTypes.get(field.type);
  if (special === undefined) return writeMessage(value, field.type);
  const bytes = special.write(value, writeMessage);
  if (bytes === undefined) throw wrongType(field.name, field.type);
  return bytes;
}
