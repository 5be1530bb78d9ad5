import { goQuote, isObject, type JsonValue, own } from '../../meta/index.ts';
import type { ListType } from './merge-type.ts';
import { keyElement, type PathElement, valueElement } from '../field-set/path-element.ts';

/** The reason why an item of an associative list has no identity. */
export class ListItemError extends Error {
  override readonly name = 'ListItemError';
}

/**
 * The step to an item of an associative list: by its keys, defaults included, or by its value in a set. `{port: 80}`
 * in a list keyed by port and protocol, with TCP as default, is `k:{"port":80,"protocol":"TCP"}`.
 *
 * @throws {ListItemError} with upstream's message for an item without identity.
 */
export function itemElement(list: ListType, item: JsonValue): PathElement {
  return list.keys.length > 0 ? keyedItem(list, item) : setItem(item);
}

/** Like {@link itemElement}, but undefined for an item without identity. */
export function itemElementOrNone(list: ListType, item: JsonValue): PathElement | undefined {
  try {
    return itemElement(list, item);
  } catch (error) {
    if (error instanceof ListItemError) return undefined;
    throw error;
  }
}

function keyedItem(list: ListType, item: JsonValue): PathElement {
  if (item === null) throw new ListItemError('associative list with keys may not have a null element');
  if (!isObject(item)) throw new ListItemError('associative list with keys may not have non-map elements');
  const fields: [string, JsonValue][] = [];
  for (const key of list.keys) {
    const given = own(item, key);
    const value = given === undefined ? list.element.map?.fields.get(key)?.default : given;
    // A key that is neither set nor defaulted is left out, which gives another identity.
    if (value !== undefined) fields.push([key, value]);
  }
  if (fields.length === 0) {
    const names = `[${list.keys.map(goQuote).join(' ')}]`;
    throw new ListItemError(
      `associative list with keys has an element that omits all key fields ${names} (and doesn't have default values for any key fields)`,
    );
  }
  return keyElement(fields);
}

function setItem(item: JsonValue): PathElement {
  if (isObject(item))
    throw new ListItemError("associative list without keys has an element that's a map type");
  if (Array.isArray(item)) throw new ListItemError('not supported: associative list with lists as elements');
  if (item === null) {
    throw new ListItemError("associative list without keys has an element that's an explicit null");
  }
  return valueElement(item);
}
