import { type Json, type KubeObject, type ManagedFields, member } from '../api/kube-object.ts';
import type { FieldPath } from './yaml-text.ts';

/** A manager and its fields. */
interface FieldOwner {
  readonly manager: string;
  readonly operation: string;
  readonly subresource: string;
  readonly time: string;
  readonly fields: readonly FieldPath[];
}

const fieldsMax = 2_000;
const depthMax = 50;

/** The owners of fields by `managedFields`; keys of list items are resolved to indexes. */
export function fieldOwners(object: KubeObject): readonly FieldOwner[] {
  // The object was parsed from JSON, so every part of it is JSON.
  const value = object as unknown as Json;
  return (object.metadata.managedFields ?? []).map((entry: ManagedFields) => {
    const fields: FieldPath[] = [];
    collect({ fields, value, set: entry.fieldsV1 ?? null, path: [] });
    const { manager = '', operation = '', subresource = '', time = '' } = entry;
    return { manager, operation, subresource, time, fields };
  });
}

interface Collecting {
  readonly fields: FieldPath[];
  readonly value: Json | undefined;
  readonly set: Json;
  readonly path: FieldPath;
}

function collect({ fields, value, set, path }: Collecting): void {
  if (
    typeof set !== 'object' ||
    set === null ||
    Array.isArray(set) ||
    path.length > depthMax ||
    fields.length >= fieldsMax
  )
    return;
  const names = Object.keys(set).filter((name) => name !== '.');
  if (names.length === 0 && path.length > 0) fields.push(path);
  for (const name of names) {
    const part = partOf(name, value);
    if (part === undefined) continue;
    const child =
      typeof part === 'number'
        ? Array.isArray(value)
          ? (value[part] as Json)
          : undefined
        : member(value, part);
    collect({ fields, value: child, set: member(set, name) ?? null, path: [...path, part] });
  }
}

/** `f:name` is a field, `k:{...}` a list item by keys, `v:...` one by value. */
function partOf(name: string, value: Json | undefined): string | number | undefined {
  const rest = name.slice(2);
  if (name.startsWith('f:')) return rest;
  if (!Array.isArray(value)) return undefined;
  if (name.startsWith('i:')) return Number(rest);
  const wanted = parsed(rest);
  const at = value.findIndex((item: Json) =>
    name.startsWith('v:')
      ? JSON.stringify(item) === rest
      : Object.entries(wanted).every(([key, one]) => member(item, key) === one),
  );
  return at === -1 ? undefined : at;
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** `spec.ports[0].name` */
export function pathWords(path: FieldPath): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');
}
