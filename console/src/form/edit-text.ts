import { type Document, isMap, isScalar, isSeq, Scalar } from 'yaml';
import { type FieldPath, parseYaml } from '../object/yaml-text.ts';

/** The value of a field. */
export type FormValue =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly length: number }
  | { readonly kind: 'map'; readonly names: readonly string[] };

const none: FormValue = { kind: 'none' };

/** Reads a field of a parsed text. */
export function valueAt(document: Document, path: FieldPath): FormValue {
  const node: unknown = path.length === 0 ? document.contents : document.getIn(path, true);
  if (isMap(node)) {
    const names = node.items.map(({ key }) => String(isScalar(key) ? key.value : key));
    return { kind: 'map', names };
  }
  if (isSeq(node)) return { kind: 'list', length: node.items.length };
  const value: unknown = isScalar(node) ? node.value : undefined;
  return value === undefined || value === null ? none : { kind: 'text', text: String(value) };
}

/** Sets a field of a text; missing parents are created. */
export function withField(text: string, path: FieldPath, value: unknown): string {
  const document = parseYaml(text);
  for (let length = 1; length < path.length; length += 1) {
    const around = path.slice(0, length);
    const node: unknown = document.getIn(around, true);
    if (node !== undefined && !isMap(node) && !isSeq(node)) document.deleteIn(around);
  }
  document.setIn(path, nodeOf(document, value));
  openFlows(document, path);
  return document.toString({ lineWidth: 0 });
}

/** Removes a field of a text. */
export function withoutField(text: string, path: FieldPath): string {
  const document = parseYaml(text);
  document.deleteIn(path);
  return document.toString({ lineWidth: 0 });
}

/** Converts user input to the type of the field; a string if that is not possible. */
export function typedValue(text: string, type: string | undefined): unknown {
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  if (type !== 'integer' && type !== 'number') return text;
  if (/^-?\d{1,30}$/.test(text)) return BigInt(text);
  const number = Number(text);
  return type === 'number' && text.trim() !== '' && Number.isFinite(number) ? number : text;
}

function nodeOf(document: Document, value: unknown): unknown {
  return typeof value === 'object' && value !== null ? document.createNode(value) : new Scalar(value);
}

/** A non-empty `{}` is written in block style. */
function openFlows(document: Document, path: FieldPath): void {
  for (let length = 0; length < path.length; length += 1) {
    const node: unknown = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isMap(node) || isSeq(node)) node.flow = false;
  }
}
