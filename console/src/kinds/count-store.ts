import { signal } from '@preact/signals';
import { ApiError } from '../api/api-error.ts';
import type { Kind } from '../api/kinds.ts';
import type { KubeList } from '../api/kube-object.ts';
import { collectionPath } from '../api/paths.ts';
import { getJson } from '../api/request.ts';

/** The number of objects of a kind; `hidden` if the user may not list them. */
export type Count = number | 'hidden';

/** By `plural.group`. */
export const counts = signal<ReadonlyMap<string, Count>>(new Map());

const refreshMs = 4_000;
/** Until the kinds are known. */
const firstMs = 100;
const atOnceMax = 4;

export const countKey = ({ group, plural }: Pick<Kind, 'group' | 'plural'>) => `${plural}.${group}`;

/** Counts the visible kinds periodically, until `signal` is aborted. */
export async function followCounts(shown: () => readonly Kind[], abort: AbortSignal): Promise<void> {
  while (!abort.aborted) {
    if (!document.hidden) await countAll(shown(), abort);
    await new Promise((resolve) => setTimeout(resolve, counts.peek().size === 0 ? firstMs : refreshMs));
  }
}

async function countAll(kinds: readonly Kind[], abort: AbortSignal): Promise<void> {
  const waiting = [...kinds];
  const found = new Map(counts.peek());
  const worker = async () => {
    for (let kind = waiting.shift(); kind !== undefined && !abort.aborted; kind = waiting.shift()) {
      const count = await countOf(kind, abort);
      if (count !== undefined) found.set(countKey(kind), count);
    }
  };
  await Promise.all(Array.from({ length: atOnceMax }, worker));
  if (!abort.aborted) counts.value = found;
}

/** A list with limit 1 returns the number of remaining objects. */
async function countOf(kind: Kind, abort: AbortSignal): Promise<Count | undefined> {
  const [{ version }] = kind.versions;
  const path = `${collectionPath({ ...kind, version })}?limit=1`;
  const accept = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
  try {
    const { metadata, items } = await getJson<Partial<KubeList<unknown>>>(path, { accept, signal: abort });
    return (items?.length ?? 0) + (metadata?.remainingItemCount ?? 0);
  } catch (error) {
    if (error instanceof ApiError && error.code === 403) return 'hidden';
    // The kind or the server is gone: the next round will tell.
    return undefined;
  }
}
