import { holdsField } from '../../crd/index.ts';
import { type KubeObject, limits, nameOf, namespaceOf, type Slices } from '../../meta/index.ts';
import { prefixRange } from '../../storage/index.ts';
import { decodeUnconverted } from '../representation/representation.ts';
import type { Resource } from '../resource/resource.ts';

/** An object that holds fields, and which of them. */
interface FieldHolder {
  readonly namespace: string;
  readonly name: string;
  readonly fieldPaths: readonly string[];
}

export interface FieldHolders {
  readonly count: number;
  /** The first of them, by namespace and name. */
  readonly first: readonly FieldHolder[];
}

export interface FieldHoldersOptions {
  /** As gates name fields: `.spec.pools[*].size`. */
  readonly fieldPaths: readonly string[];
  readonly firstMax: number;
  readonly signal: AbortSignal;
}

/**
 * The stored objects of a resource that hold a field, as of now. Gives way to other requests while it looks.
 *
 * @throws {DOMException} when the signal ends it
 */
export async function fieldHolders(
  resource: Resource,
  { fieldPaths, firstMax, signal }: FieldHoldersOptions,
  slices: Slices | undefined,
): Promise<FieldHolders> {
  await resource.view.consistent({ signal, timeoutMs: limits.freshnessWaitMsMax });
  const first: FieldHolder[] = [];
  let count = 0;
  for (const entry of resource.view.snapshot().range(prefixRange(resource.key('', '')))) {
    const pause = slices?.pause();
    if (pause !== undefined) await pause;
    signal.throwIfAborted();
    const object: KubeObject = decodeUnconverted(entry.value, resource.type);
    const held = fieldPaths.filter((path) => holdsField(object, path));
    if (held.length === 0) continue;
    count += 1;
    if (first.length < firstMax)
      first.push({ namespace: namespaceOf(object), name: nameOf(object), fieldPaths: held });
  }
  return { count, first };
}
