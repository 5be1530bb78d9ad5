import { PageHead } from '../app/page-head.tsx';
import { place, setQuery } from '../app/router.ts';
import { isBuiltIn, kinds } from '../kinds/kind-store.ts';
import { Icon } from '../parts/icon.tsx';
import { EventWindow } from './event-window.tsx';
import { firstWindows, followableKinds, type WindowQuery, windowsIn, windowsMax } from './window-query.ts';

/** Changes of several kinds, side by side, as they happen. */
export function EventsPage() {
  const known = kinds.value;
  if (known === undefined) return <PageHead title="Changes" />;
  const followable = followableKinds(known);
  const own = [...followable.values()].find((kind) => !isBuiltIn(kind));
  const windows = windowsIn(place.value.query.get('windows') ?? '') ?? firstWindows(own?.ref);
  const show = (next: readonly WindowQuery[]) => setQuery({ windows: JSON.stringify(next) });
  return (
    <>
      <PageHead title="Changes">
        <button
          type="button"
          class="button primary"
          disabled={windows.length >= windowsMax}
          title={windows.length >= windowsMax ? `${windowsMax} windows at a time` : undefined}
          onClick={() => show([...windows, { kind: '', namespace: '', labels: '', fields: '' }])}
        >
          <Icon name="plus" /> Window
        </button>
      </PageHead>
      <p class="muted">What is written from now on, kind by kind. The address holds the windows.</p>
      <div class="event-windows">
        {windows.map((query, at) => (
          <EventWindow
            key={at}
            query={query}
            number={at + 1}
            kinds={followable}
            onChange={(next) => show(windows.with(at, next))}
            onClose={windows.length === 1 ? undefined : () => show(windows.toSpliced(at, 1))}
          />
        ))}
      </div>
    </>
  );
}
