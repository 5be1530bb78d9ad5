import { readFileSync } from 'node:fs';

/** How many objects there are of a constructor, and their own bytes. */
export interface HeapCount {
  readonly count: number;
  readonly bytes: number;
}

/** The objects of a heap snapshot, by type and constructor: `object Map`. */
export function heapCounts(file: string): Map<string, HeapCount> {
  const { snapshot, nodes, strings }: Snapshot = JSON.parse(readFileSync(file, 'utf8'));
  const fields = snapshot.meta.node_fields;
  const types = snapshot.meta.node_types[0] ?? [];
  const [type, name, size] = ['type', 'name', 'self_size'].map((field) => fields.indexOf(field));
  const counts = new Map<string, HeapCount>();
  for (let at = 0; at < nodes.length; at += fields.length) {
    const kind = types[nodes[at + (type ?? 0)] ?? 0] ?? '';
    // Texts are their own names: those of objects tell them apart.
    const title = kind === 'object' || kind === 'native' ? (strings[nodes[at + (name ?? 1)] ?? 0] ?? '') : '';
    const key = `${kind} ${title.slice(0, 60)}`.trim();
    const { count, bytes } = counts.get(key) ?? { count: 0, bytes: 0 };
    counts.set(key, { count: count + 1, bytes: bytes + (nodes[at + (size ?? 3)] ?? 0) });
  }
  return counts;
}

/** Of V8's format what is read here. */
interface Snapshot {
  readonly snapshot: {
    readonly meta: {
      readonly node_fields: readonly string[];
      readonly node_types: readonly (readonly string[])[];
    };
  };
  readonly nodes: readonly number[];
  readonly strings: readonly string[];
}

/** What there is more of, the most bytes first. */
export function heapGrowth(
  before: ReadonlyMap<string, HeapCount>,
  after: ReadonlyMap<string, HeapCount>,
): { readonly name: string; readonly count: number; readonly bytes: number }[] {
  return [...after]
    .map(([name, now]) => {
      const was = before.get(name) ?? { count: 0, bytes: 0 };
      return { name, count: now.count - was.count, bytes: now.bytes - was.bytes };
    })
    .sort((a, b) => b.bytes - a.bytes);
}
