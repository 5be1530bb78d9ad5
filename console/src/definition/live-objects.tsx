import { useEffect, useRef, useState } from 'preact/hooks';
import { isAborted } from '../api/api-error.ts';
import { checkLiveObjects, type ObjectsCheck, type RefusedObject } from '../api/objects-check.ts';
import type { ResourceRef } from '../api/paths.ts';
import { objectAddress } from '../app/addresses.ts';
import { href } from '../app/router.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { TableBox } from '../parts/table-box.tsx';

interface LiveObjectsProps {
  /** In which version the objects are read. */
  readonly of: ResourceRef;
  /** The other definition, as text. */
  readonly definition: string;
}

/** Which of the objects that are there another definition would refuse. */
export function LiveObjects({ of, definition }: LiveObjectsProps) {
  const [check, setCheck] = useState<ObjectsCheck | undefined>(undefined);
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const abort = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  const run = async () => {
    abort.current = new AbortController();
    const { signal } = abort.current;
    setError(undefined);
    setCheck(undefined);
    setRunning(true);
    try {
      await checkLiveObjects(of, definition, { onProgress: setCheck, signal });
    } catch (failure) {
      if (!isAborted(failure)) setError(failure);
    }
    setRunning(false);
  };
  return (
    <section class="live-objects" aria-label="Live objects">
      <h2>Live objects</h2>
      <p class="muted">
        Tries each object of this kind that you may list on the definition in the file, as{' '}
        <code>ilk diff --objects</code> does. Nothing is written.
      </p>
      <div class="gate-head">
        {isRunning ? (
          <button type="button" class="button" onClick={() => abort.current?.abort()}>
            Stop
          </button>
        ) : (
          <button type="button" class="button primary" onClick={() => void run()}>
            Check the live objects
          </button>
        )}
        <p role="status">{check === undefined ? (isRunning ? 'Checking' : '') : progressText(check)}</p>
      </div>
      {error !== undefined && <ErrorNotice title="The objects cannot be checked" error={error} />}
      {check !== undefined && check.refused.length > 0 && <Refused objects={check.refused} of={of} />}
    </section>
  );
}

const rowsMax = 200;

function Refused({ objects, of }: { readonly objects: readonly RefusedObject[]; readonly of: ResourceRef }) {
  return (
    <>
      <TableBox label="Objects that would be refused" headings={['Object', 'Why it would be refused']}>
        {objects.slice(0, rowsMax).map(({ namespace, name, errors }) => (
          <tr key={`${namespace}/${name}`}>
            <th scope="row">
              <a href={href(objectAddress(of, namespace, name))} dir="auto">
                {namespace === '' ? name : `${namespace}/${name}`}
              </a>
            </th>
            <td class="reasons" dir="auto">
              {errors.map(({ message }) => (
                <div key={message}>{message}</div>
              ))}
            </td>
          </tr>
        ))}
      </TableBox>
      {objects.length > rowsMax && <p class="muted">and {objects.length - rowsMax} more</p>}
    </>
  );
}

function progressText({ checked, total, refused, skipped, isDone }: ObjectsCheck): string {
  const of = isDone || total === undefined ? '' : ` of ${total.toLocaleString('en')}`;
  const words = `${checked.toLocaleString('en')}${of} object${checked === 1 && of === '' ? '' : 's'} checked`;
  const left = skipped === 0 ? '' : `; ${skipped} too large to check`;
  return `${words}, ${refused.length.toLocaleString('en')} would be refused${left}`;
}
