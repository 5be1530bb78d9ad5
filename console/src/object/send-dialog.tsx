import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../api/api-error.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Difference } from './editor-box.tsx';
import { manager, type SendMode, sendText } from './send-object.ts';

interface SendDialogProps {
  readonly path: string;
  /** The object as it is now. */
  readonly before: string;
  readonly after: string;
  readonly onSent: (warnings: readonly string[]) => void;
  readonly onClose: () => void;
}

/** Shows the difference before it is sent, and what stands against it. */
export function SendDialog({ path, before, after, onSent, onClose }: SendDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [mode, setMode] = useState<SendMode>('update');
  const [error, setError] = useState<unknown>(undefined);
  useEffect(() => dialog.current?.showModal(), []);
  const submit = async (wanted: SendMode) => {
    try {
      onSent(await sendText({ path, text: after, mode: wanted, dryRun: false }));
    } catch (failure) {
      setError(failure);
    }
  };
  const conflicts =
    error instanceof ApiError ? error.causes.filter(({ reason }) => reason === 'FieldManagerConflict') : [];
  return (
    <dialog ref={dialog} class="dialog wide" aria-labelledby="send-title" onClose={onClose}>
      <h2 id="send-title">What will change</h2>
      <Difference before={before} after={after} />
      <fieldset class="choices">
        <legend>How it is sent</legend>
        <label>
          <input type="radio" name="mode" checked={mode === 'update'} onChange={() => setMode('update')} />
          <span>
            <strong>Update</strong> the whole object, unless somebody has changed it meanwhile
          </span>
        </label>
        <label>
          <input type="radio" name="mode" checked={mode === 'apply'} onChange={() => setMode('apply')} />
          <span>
            <strong>Apply</strong> as the manager <code>{manager}</code>, which then owns these fields; fields
            of others are conflicts
          </span>
        </label>
      </fieldset>
      {conflicts.length > 0 ? (
        <div class="notice bad" role="alert">
          <strong>Others own what you change</strong>
          <ul>
            {conflicts.map(({ field, message = '' }) => (
              <li key={`${field} ${message}`}>
                <code>{field}</code> {message.replace(/^conflict with /, 'belongs to ')}
              </li>
            ))}
          </ul>
          <button type="button" class="button danger" onClick={() => void submit('force')}>
            Take these fields over
          </button>
        </div>
      ) : (
        error !== undefined && <ErrorNotice error={error} />
      )}
      <div class="dialog-end">
        <button type="button" class="button" onClick={() => dialog.current?.close()}>
          Go on editing
        </button>
        <button type="button" class="button primary" onClick={() => void submit(mode)}>
          {mode === 'update' ? 'Update' : 'Apply'}
        </button>
      </div>
    </dialog>
  );
}
