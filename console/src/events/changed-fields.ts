import { exactText } from '../api/exact-json.ts';

/** A field that differs between two versions of an object. */
export interface ChangedField {
  readonly path: string;
  /** Undefined where it was not there. */
  readonly before: string | undefined;
  /** Undefined where it is gone. */
  readonly after: string | undefined;
}

/** Fields that every write changes. */
const silent: ReadonlySet<string> = new Set([
  'metadata.resourceVersion',
  'metadata.managedFields',
  'metadata.generation',
]);
const depthMax = 30;

/** The fields that differ between two versions, sorted by name, up to a limit. */
export function changedFields(before: unknown, after: unknown, max: number): readonly ChangedField[] {
  const found: ChangedField[] = [];
  compare({ before, after, path: '', depth: 0 }, { found, max });
  return found;
}

interface Compared {
  readonly before: unknown;
  readonly after: unknown;
  readonly path: string;
  readonly depth: number;
}

function compare(
  { before, after, path, depth }: Compared,
  into: { readonly found: ChangedField[]; readonly max: number },
): void {
  if (into.found.length >= into.max || silent.has(path)) return;
  if (isMap(before) && isMap(after) && depth < depthMax) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
    for (const name of names)
      compare(
        {
          before: own(before, name),
          after: own(after, name),
          path: path === '' ? name : `${path}.${name}`,
          depth: depth + 1,
        },
        into,
      );
  } else if (Array.isArray(before) && Array.isArray(after) && depth < depthMax) {
    for (let at = 0; at < Math.max(before.length, after.length); at += 1)
      compare({ before: before[at], after: after[at], path: `${path}[${at}]`, depth: depth + 1 }, into);
  } else if (textOf(before) !== textOf(after)) {
    into.found.push({ path, before: textOf(before), after: textOf(after) });
  }
}

function textOf(value: unknown): string | undefined {
  return value === undefined ? undefined : exactText(value);
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What users name their fields never leads into prototypes. */
function own(value: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}
