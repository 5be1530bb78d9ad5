import { getJson } from '../api/request.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Figure } from '../parts/figure.tsx';
import { usePolled } from './use-polled.ts';

/** See docs/console.md. */
interface ServerStatus {
  readonly version: string;
  readonly runtime: string;
  readonly started: string;
  readonly storage: { readonly name: string; readonly shared: boolean; readonly bytes?: number };
  readonly controllers: readonly { readonly name: string; readonly on: boolean }[];
  readonly audited: boolean;
}

/** Version, storage and controllers of the server. */
export function AboutPanel() {
  const { value, error } = usePolled((signal) => getJson<ServerStatus>('/ilk/v1/server', { signal }));
  if (error !== undefined) return <ErrorNotice title="The server status cannot be read" error={error} />;
  if (value === undefined) return <div class="starting" role="status" aria-label="Loading" />;
  const { version, runtime, started, storage, controllers } = value;
  return (
    <>
      <dl class="figures">
        <Figure name="Version" value={version} />
        <Figure name="Runtime" value={runtime} />
        <Figure name="Started" value={started} />
        <Figure name="Storage" value={storage.shared ? `${storage.name}, shared` : storage.name} />
        {storage.bytes !== undefined && (
          <Figure name="Size of the storage" value={bytesText(storage.bytes)} />
        )}
      </dl>
      <h2 id="controllers-title">Controllers</h2>
      <ul class="controllers" aria-labelledby="controllers-title">
        {controllers.map(({ name, on }) => (
          <li key={name}>
            <span class={`state ${on ? 'ok' : 'wait'}`}>
              {name} {on ? 'runs' : 'is off'}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function bytesText(bytes: number): string {
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KiB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
