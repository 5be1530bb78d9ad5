import { useState } from 'preact/hooks';
import type { KubeObject } from '../api/kube-object.ts';
import { parseApiVersion } from '../api/paths.ts';
import { objectAddress } from '../app/addresses.ts';
import { href } from '../app/router.ts';
import { kinds } from '../kinds/kind-store.ts';
import { useWhileShown } from '../parts/use-while-shown.ts';
import { type FoundDependents, findDependents } from './dependents.ts';

/** What the object belongs to, and what belongs to it. */
export function RelatedPanel({ object }: { readonly object: KubeObject }) {
  const found = useDependents(object);
  return (
    <div class="graph">
      <h3>Owners</h3>
      <Owners object={object} />
      <h3 class="self" dir="auto">
        {object.kind} {object.metadata.name}
      </h3>
      <h3>Dependents</h3>
      <DependentList found={found} />
    </div>
  );
}

function Owners({ object: { metadata } }: { readonly object: KubeObject }) {
  const { ownerReferences = [], namespace = '' } = metadata;
  if (ownerReferences.length === 0) return <p class="muted">It belongs to nothing.</p>;
  return (
    <ul>
      {ownerReferences.map(({ apiVersion, kind, name, uid, controller }) => {
        const { group, version } = parseApiVersion(apiVersion);
        const known = kinds.value?.find((one) => one.group === group && one.kind === kind);
        const text = `${kind} ${name}`;
        return (
          <li key={uid}>
            {known === undefined ? (
              text
            ) : (
              <a
                href={href(
                  objectAddress(
                    { group, version, plural: known.plural },
                    known.namespaced ? namespace : '',
                    name,
                  ),
                )}
                dir="auto"
              >
                {text}
              </a>
            )}
            {controller === true && <span class="chip">controller</span>}
          </li>
        );
      })}
    </ul>
  );
}

/** What would go along with an object. */
export function DependentList({ found }: { readonly found: FoundDependents | undefined }) {
  if (found === undefined) return <p class="muted">Looking through all kinds…</p>;
  const { dependents, notLookedAt } = found;
  return (
    <>
      {dependents.length === 0 && <p class="muted">Nothing belongs to it.</p>}
      <ul>
        {dependents.map(({ kind, ref, namespace, name, blocks }) => (
          <li key={`${kind} ${namespace} ${name}`}>
            <a href={href(objectAddress(ref, namespace, name))} dir="auto">
              {kind} {name}
            </a>
            {blocks && <span class="chip">blocks the deletion</span>}
          </li>
        ))}
      </ul>
      {notLookedAt.length > 0 && (
        <p class="muted">
          Not looked at, as you may not list them or they are too many: {notLookedAt.join(', ')}
        </p>
      )}
    </>
  );
}

export function useDependents(object: KubeObject): FoundDependents | undefined {
  const [found, setFound] = useState<FoundDependents | undefined>(undefined);
  const known = kinds.value;
  useWhileShown(
    (signal) => {
      if (known !== undefined)
        void findDependents(object, known, signal).then((one) => signal.aborted || setFound(one));
    },
    [object.metadata.uid, known],
  );
  return found;
}
