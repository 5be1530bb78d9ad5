import { useState } from 'preact/hooks';
import type { KubeObject } from '../api/kube-object.ts';
import { objectAddress } from '../app/addresses.ts';
import { href } from '../app/router.ts';
import { kinds } from '../kinds/kind-store.ts';
import { useWhileShown } from '../parts/use-while-shown.ts';
import { findRelated } from './find-related.ts';
import { goingAlong, type Related } from './related.ts';
import { RelatedGraph } from './related-graph.tsx';

/** What the object belongs to, and what belongs to it. */
export function RelatedPanel({ object }: { readonly object: KubeObject }) {
  const found = useRelated(object);
  if (found === undefined) return <p class="muted">Looking through all kinds…</p>;
  const { nodes } = found;
  return (
    <>
      {nodes.every(({ level }) => level >= 0) && <p class="muted">It belongs to nothing.</p>}
      {nodes.every(({ level }) => level <= 0) && <p class="muted">Nothing belongs to it.</p>}
      {nodes.length > 1 && <RelatedGraph related={found} />}
      <NotLookedAt related={found} />
    </>
  );
}

/** What would go along with an object, and what has another owner. */
export function DependentList({ found }: { readonly found: Related | undefined }) {
  if (found === undefined) return <p class="muted">Looking through all kinds…</p>;
  const dependents = found.nodes.filter(({ level }) => level > 0);
  const going = goingAlong(found.nodes);
  const blocking = new Set(found.edges.filter(({ blocks }) => blocks).map(({ dependent }) => dependent));
  return (
    <>
      {dependents.length === 0 && <p class="muted">Nothing belongs to it.</p>}
      <ul class="dependents">
        {dependents.map(({ uid, kind, ref, namespace, name, level }) => (
          <li key={uid} class={`level-${Math.min(level, 4)}`}>
            {ref === undefined ? (
              `${kind} ${name}`
            ) : (
              <a href={href(objectAddress(ref, namespace, name))} dir="auto">
                {kind} {name}
              </a>
            )}
            {!going.has(uid) && <span class="chip">stays: it has another owner</span>}
            {blocking.has(uid) && <span class="chip">goes first, if asked for</span>}
          </li>
        ))}
      </ul>
      <NotLookedAt related={found} />
    </>
  );
}

function NotLookedAt({ related: { notLookedAt, isCut } }: { readonly related: Related }) {
  return (
    <>
      {isCut && <p class="muted">There are more; the first ones are shown.</p>}
      {notLookedAt.length > 0 && (
        <p class="muted">
          Not looked at, as you may not list them or they are too many: {notLookedAt.join(', ')}
        </p>
      )}
    </>
  );
}

export function useRelated(object: KubeObject): Related | undefined {
  const [found, setFound] = useState<Related | undefined>(undefined);
  const known = kinds.value;
  const owners = JSON.stringify(object.metadata.ownerReferences ?? []);
  useWhileShown(
    (signal) => {
      if (known !== undefined)
        void findRelated(object, known, signal).then((one) => signal.aborted || setFound(one));
    },
    [object.metadata.uid, owners, known],
  );
  return found;
}
