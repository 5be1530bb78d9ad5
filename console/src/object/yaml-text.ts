import { isMap, isScalar, isSeq, type Document, type Node, type Pair, parseDocument } from 'yaml';

export type FieldPath = readonly (string | number)[];

/** Fields set by the server, which are not edited. */
const systemFields: readonly FieldPath[] = [['metadata', 'managedFields']];
/** Fields that an apply must not own. */
const appliedAway: readonly FieldPath[] = [
  ...systemFields,
  ['metadata', 'resourceVersion'],
  ['metadata', 'uid'],
  ['metadata', 'generation'],
  ['metadata', 'creationTimestamp'],
  ['status'],
];

/** A parsed text: numbers of any size are exact. */
export function parseYaml(text: string): Document {
  return parseDocument(text, { intAsBigInt: true, uniqueKeys: true, logLevel: 'silent' });
}

/** The text to edit, without managedFields, and without a status that is a subresource. */
export function editableText(text: string, { hasStatus }: { readonly hasStatus: boolean }): string {
  return withoutFields(text, hasStatus ? [...systemFields, ['status']] : systemFields);
}

/** The text of an apply. */
export function appliedText(text: string): string {
  return withoutFields(text, appliedAway);
}

/** Removes fields of a text without reformatting the rest. */
function withoutFields(text: string, paths: readonly FieldPath[]): string {
  let left = text;
  for (const path of paths) {
    const pair = pairAt(parseYaml(left), path);
    const start = isScalar(pair?.key) ? pair.key.range?.[0] : undefined;
    const end = (pair?.value as Node | null | undefined)?.range?.[2];
    if (start === undefined || end === undefined) continue;
    const lineStart = left.lastIndexOf('\n', start - 1) + 1;
    left = left.slice(0, lineStart) + left.slice(end);
  }
  return left;
}

function pairAt(document: Document, path: FieldPath): Pair | undefined {
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  if (!isMap(parent)) return undefined;
  return parent.items.find(({ key }) => isScalar(key) && key.value === path.at(-1));
}

/** The position of a field, or of its nearest existing parent. */
export function rangeOf(document: Document, path: FieldPath): { readonly from: number; readonly to: number } {
  for (let length = path.length; length > 0; length -= 1) {
    const asked = path.slice(0, length);
    const pair = pairAt(document, asked);
    const node = (isScalar(pair?.key) ? pair.key : document.getIn(asked, true)) as Node | undefined;
    const range = node?.range;
    if (range !== undefined && range !== null) {
      const value = pair?.value;
      return { from: range[0], to: isScalar(value) ? (value.range?.[1] ?? range[1]) : range[1] };
    }
  }
  return { from: 0, to: 0 };
}

/** Parses the field of a cause: `spec.ports[0].name`, `metadata.labels[a.b/c]`. */
export function parseFieldPath(field: string): FieldPath {
  const parts: (string | number)[] = [];
  for (const [, name, inner] of field.matchAll(/([^.[\]]+)|\[([^\]]*)\]/g)) {
    if (name !== undefined) parts.push(name);
    else if (inner !== undefined)
      parts.push(/^\d+$/.test(inner) ? Number(inner) : inner.replace(/^"|"$/g, ''));
  }
  return parts;
}

/** A JSON value as YAML. */
export function yamlOf(json: string): string {
  const document = parseYaml(json);
  flowOff(document.contents);
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

function flowOff(node: unknown): void {
  if (isScalar(node)) delete node.type;
  if (!isMap(node) && !isSeq(node)) return;
  node.flow = node.items.length === 0;
  for (const item of node.items) {
    if (isMap(node)) {
      const { key, value } = item as Pair;
      flowOff(key);
      flowOff(value);
    } else flowOff(item);
  }
}
