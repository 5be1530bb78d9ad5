import type { JsonValue } from '../../meta/index.ts';
import { parseExactJson } from './exact-json.ts';
import {
  fieldElement,
  FieldsFormatError,
  indexElement,
  keyElement,
  type PathElement,
  valueElement,
} from './path-element.ts';

const steps = /\.([^.[]+)|\[((?:[^\]"]|"(?:[^"\\]|\\.)*")*)\]/gy;
const pair = /([^=,]+)=("(?:[^"\\]|\\.)*"|[^,]*)(?:,|$)/g;

/**
 * Parses a path as conflict messages print it: `.spec.list[name="a",port=80].x`, `.set[="b"]`, `.list[3]`. Field
 * names with a dot or a bracket cannot be expressed.
 *
 * @throws {FieldsFormatError} for an invalid path.
 */
export function parsePathText(text: string): PathElement[] {
  const path: PathElement[] = [];
  let end = 0;
  for (const match of text.matchAll(steps)) {
    const [whole, name, inner] = match;
    path.push(name === undefined ? itemStep(inner ?? '') : fieldElement(name));
    end = match.index + whole.length;
  }
  if (end !== text.length) throw new FieldsFormatError(`invalid path: ${text}`);
  return path;
}

function itemStep(inner: string): PathElement {
  if (inner.startsWith('=')) return valueElement(scalar(inner.slice(1)));
  if (/^\d+$/.test(inner)) return indexElement(Number(inner));
  const fields: [string, JsonValue][] = [];
  for (const [, name = '', value = ''] of inner.matchAll(pair)) fields.push([name, scalar(value)]);
  if (fields.length === 0) throw new FieldsFormatError(`invalid path step: [${inner}]`);
  return keyElement(fields);
}

function scalar(text: string): JsonValue {
  try {
    return parseExactJson(text);
  } catch {
    throw new FieldsFormatError(`invalid value in path: ${text}`);
  }
}
