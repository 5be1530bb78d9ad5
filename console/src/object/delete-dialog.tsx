import { useEffect, useRef, useState } from 'preact/hooks';
import type { KubeObject } from '../api/kube-object.ts';
import { send } from '../api/request.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { DependentList, useRelated } from './related-panel.tsx';

interface DeleteDialogProps {
  readonly object: KubeObject;
  readonly path: string;
  readonly onClose: () => void;
}

const policies = [
  { policy: 'Background', words: 'Dependents go afterwards, in the background' },
  { policy: 'Foreground', words: 'Dependents go first' },
  { policy: 'Orphan', words: 'Dependents stay, without an owner' },
] as const;

/** Asks before an object is deleted, with what would go along. */
export function DeleteDialog({ object, path, onClose }: DeleteDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [policy, setPolicy] = useState<string>('Background');
  const [error, setError] = useState<unknown>(undefined);
  const found = useRelated(object);
  useEffect(() => dialog.current?.showModal(), []);
  const { name, uid, finalizers = [] } = object.metadata;
  const remove = async () => {
    const body = JSON.stringify({
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      propagationPolicy: policy,
      preconditions: { uid },
    });
    try {
      await send(path, { method: 'DELETE', body });
      dialog.current?.close();
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="delete-title" onClose={onClose}>
      <h2 id="delete-title" dir="auto">
        Delete {object.kind} {name}?
      </h2>
      {finalizers.length > 0 && (
        <p class="notice warn">It stays until these finalizers are gone: {finalizers.join(', ')}</p>
      )}
      <h3>What belongs to it</h3>
      <DependentList found={found} />
      <fieldset class="choices">
        <legend>What becomes of that</legend>
        {policies.map(({ policy: one, words }) => (
          <label key={one}>
            <input type="radio" name="policy" checked={policy === one} onChange={() => setPolicy(one)} />
            <span>{words}</span>
          </label>
        ))}
      </fieldset>
      {error !== undefined && <ErrorNotice error={error} />}
      <div class="dialog-end">
        <button type="button" class="button" onClick={() => dialog.current?.close()}>
          Keep it
        </button>
        <button type="button" class="button danger" onClick={() => void remove()}>
          Delete
        </button>
      </div>
    </dialog>
  );
}
