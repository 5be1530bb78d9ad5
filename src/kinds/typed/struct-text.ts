import { messages } from '../../codec/index.ts';
import { goJson, isObject, type JsonObject, type JsonValue, own } from '../../meta/index.ts';

/**
 * An object as Go writes the struct that it is decoded into: JSON with the fields in the order of the struct.
 *
 * @param message the name of its table, `resource.DeviceRequest`
 */
export function structText(message: string, object: JsonObject): string {
  const fields = (messages.get(message)?.fields ?? []).flatMap(({ name, type, shape }) => {
    const value = own(object, name);
    if (value === undefined) return [];
    return [`${goJson(name)}:${fieldText(value, { type, shape })}`];
  });
  return `{${fields.join(',')}}`;
}

function fieldText(
  value: JsonValue,
  { type, shape }: { readonly type: string; readonly shape: 'single' | 'list' | 'map' },
): string {
  if (!messages.has(type) || shape === 'map') return goJson(value);
  if (Array.isArray(value)) {
    return `[${value.map((item) => fieldText(item, { type, shape: 'single' })).join(',')}]`;
  }
  return isObject(value) ? structText(type, value) : goJson(value);
}
