import { getJson } from '../api/request.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
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

/** What the server is made of. */
export function AboutPanel() {
  const { value, error } = usePolled((signal) => getJson<ServerStatus>('/ilk/v1/server', { signal }));
  if (error !== undefined) return <ErrorNotice title="The server status cannot be read" error={error} />;
  if (value === undefined) return <div class="starting" role="status" aria-label="Loading" />;
  const { version, runtime, started, storage, controllers } = value;
  return (
    <>
      <dl class="figures">
        <Fact name="Version" value={version} />
        <Fact name="Runtime" value={runtime} />
        <Fact name="Started" value={started} />
        <Fact name="Storage" value={storage.shared ? `${storage.name}, shared` : storage.name} />
        {storage.bytes !== undefined && <Fact name="Size of the storage" value={bytesText(storage.bytes)} />}
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

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function bytesText(bytes: number): string {
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KiB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
