import { isObject, type JsonObject, type JsonValue } from '../../src/meta/index.ts';

/** An answer as it comes from a server. */
export interface RawAnswer {
  readonly code: number;
  readonly type: string;
  readonly warnings: readonly string[];
  readonly text: string;
}

/** An answer without what no two servers share: one text, to be compared as it is. */
export function normalized({ code, type, warnings, text }: RawAnswer): string {
  return JSON.stringify([code, type.split(';')[0], [...warnings].sort(), bodyOf(text)]);
}

function bodyOf(text: string): JsonValue {
  try {
    return plain(JSON.parse(text), '');
  } catch {
    return unpinned(text).replaceAll(/(resourceVersion|creationTimestamp|deletionTimestamp|time): .*/g, '$1');
  }
}

const uid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const moment = /[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{8,}Z/g;
const revision = /(\\*"resourceVersion\\*":\s*\\*")[0-9]+/g;

/** A text without uids, times and resourceVersions, also those in JSON inside of it. */
function unpinned(text: string): string {
  return text.replaceAll(uid, '<uid>').replaceAll(moment, '<time>').replaceAll(revision, '$1<revision>');
}

const age = /^(?:\d+[smhdy]){1,2}$/;

function plain(value: JsonValue, key: string): JsonValue {
  if (typeof value === 'string') return plainText(value, key);
  if (Array.isArray(value)) return plainList(value, key);
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const name of Object.keys(value).sort()) copy[name] = plain(value[name] ?? null, name);
  return copy;
}

function plainText(text: string, key: string): string {
  if (key === 'resourceVersion' && /^[0-9]+$/.test(text)) return '<revision>';
  if (key === 'continue' && text !== '') return '<token>';
  if (key === 'cells' && age.test(text)) return '<age>';
  if (key === 'message') return sortedMessage(unpinned(text));
  return unpinned(text);
}

function plainList(list: readonly JsonValue[], key: string): JsonValue {
  const items = list.map((item) => plain(item, key));
  // The order of owners depends on the second in which they wrote.
  if (key !== 'causes' && key !== 'managedFields') return items;
  return items.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

const eachError =
  /, (?=(?:[\w."<][^\s:]*: (?:Invalid|Required|Unsupported|Too|Forbidden|Duplicate|Not|Internal))|<nil>)/;

/** Upstream names errors in the order of a Go map: here they are sorted. */
function sortedMessage(text: string): string {
  const list = text.indexOf('is invalid: [');
  if (list >= 0 && text.endsWith(']')) {
    const start = list + 'is invalid: ['.length;
    return `${text.slice(0, start)}${text.slice(start, -1).split(eachError).sort().join(', ')}]`;
  }
  const strict = text.lastIndexOf('strict decoding error: ');
  if (strict < 0) return text;
  const start = strict + 'strict decoding error: '.length;
  return `${text.slice(0, start)}${text.slice(start).split(', ').sort().join(', ')}`;
}
