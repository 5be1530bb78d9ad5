import { useMemo, useState } from 'preact/hooks';
import type { Kind } from '../api/kinds.ts';
import type { ResourceRef } from '../api/paths.ts';
import { objectAddress } from '../app/addresses.ts';
import { href } from '../app/router.ts';
import { queryPath } from '../objects/objects-query.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Icon } from '../parts/icon.tsx';
import { LiveMark } from '../parts/live-mark.tsx';
import { useWhileShown } from '../parts/use-while-shown.ts';
import { type Change, ChangeFeed } from './change-feed.ts';
import type { WindowQuery } from './window-query.ts';

interface EventWindowProps {
  readonly query: WindowQuery;
  /** From 1. */
  readonly number: number;
  readonly kinds: ReadonlyMap<string, Kind & { readonly ref: ResourceRef }>;
  readonly onChange: (query: WindowQuery) => void;
  /** Undefined for the last one. */
  readonly onClose: (() => void) | undefined;
}

/** What happens to the objects of a kind, as it happens. */
export function EventWindow({ query, number, kinds, onChange, onClose }: EventWindowProps) {
  const kind = kinds.get(query.kind);
  const title = kind?.kind ?? (query.kind === '' ? 'Choose a kind' : query.kind);
  return (
    <section class="event-window" aria-label={`Window ${number}: ${title}`}>
      <header>
        <h2>{title}</h2>
        {onClose !== undefined && (
          <button
            type="button"
            class="button small icon-only"
            aria-label="Close this window"
            onClick={onClose}
          >
            <Icon name="close" />
          </button>
        )}
      </header>
      <div class="event-filters">
        <label>
          <span>Kind</span>
          <select
            class="input"
            aria-label="Kind"
            value={kind === undefined ? '' : query.kind}
            onChange={({ currentTarget }) =>
              onChange({ kind: currentTarget.value, namespace: query.namespace, labels: '', fields: '' })
            }
          >
            {kind === undefined && <option value="">Choose …</option>}
            {[...kinds].map(([text, one]) => (
              <option key={text} value={text}>
                {one.kind}
                {one.group === '' ? '' : ` (${one.group})`}
              </option>
            ))}
          </select>
        </label>
        {kind?.namespaced === true && (
          <TextFilter
            label="Namespace"
            hint="all"
            value={query.namespace}
            onText={(namespace) => onChange({ ...query, namespace })}
          />
        )}
        <TextFilter
          label="Labels"
          hint="app=web"
          value={query.labels}
          onText={(labels) => onChange({ ...query, labels })}
        />
        <TextFilter
          label="Fields"
          hint="metadata.name=…"
          value={query.fields}
          onText={(fields) => onChange({ ...query, fields })}
        />
      </div>
      {kind !== undefined && <Changes key={JSON.stringify(query)} query={query} kind={kind} />}
    </section>
  );
}

interface TextFilterProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly onText: (text: string) => void;
}

function TextFilter({ label, hint, value, onText }: TextFilterProps) {
  return (
    <label>
      <span>{label}</span>
      <input
        class="input mono"
        aria-label={label}
        value={value}
        placeholder={hint}
        spellcheck={false}
        autocomplete="off"
        onChange={({ currentTarget }) => onText(currentTarget.value.trim())}
      />
    </label>
  );
}

interface ChangesProps {
  readonly query: WindowQuery;
  readonly kind: Kind & { readonly ref: ResourceRef };
}

function Changes({ query, kind: { ref, namespaced, kind } }: ChangesProps) {
  const [held, setHeld] = useState<readonly Change[] | undefined>(undefined);
  const feed = useMemo(() => {
    const namespace = namespaced ? query.namespace : '';
    return new ChangeFeed(queryPath({ ...query, ref, namespace, filter: '' }));
  }, []);
  useWhileShown((signal) => void feed.run(signal), [feed]);
  const liveness = feed.liveness.value;
  const changes = held ?? feed.changes.value;
  return (
    <>
      <div class="event-tools">
        <LiveMark liveness={liveness} />
        <button
          type="button"
          class="button small"
          aria-pressed={held !== undefined}
          onClick={() => setHeld(held === undefined ? feed.changes.peek() : undefined)}
        >
          {held === undefined ? 'Pause' : 'Go on'}
        </button>
        <button type="button" class="button small" onClick={() => feed.clear()}>
          Clear
        </button>
      </div>
      {liveness.state === 'refused' && <ErrorNotice title="Not followed" error={liveness.error} />}
      {feed.gaps.value > 0 && (
        <p class="notice warn">
          Changes are missing here: the connection broke for longer than the server remembers.
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <div class="changes-box" role="log" aria-label={`Changes of ${kind}`} aria-live="off" tabIndex={0}>
        {changes.length === 0 && liveness.state !== 'refused' && (
          <p class="muted">
            Nothing has changed since the window was opened. What changes from now on comes here.
          </p>
        )}
        <ol>
          {changes.map((change) => (
            <ChangeLine key={change.id} change={change} of={ref} />
          ))}
        </ol>
      </div>
    </>
  );
}

const words = { ADDED: 'added', MODIFIED: 'changed', DELETED: 'deleted' } as const;
const looks = { ADDED: 'ok', MODIFIED: 'wait', DELETED: 'bad' } as const;

function ChangeLine({ change, of }: { readonly change: Change; readonly of: ResourceRef }) {
  const { type, ms, metadata, fields, said, manager } = change;
  const { name, namespace = '' } = metadata;
  const time = new Date(ms);
  return (
    <li>
      <time dateTime={time.toISOString()}>{time.toLocaleTimeString('en', { hour12: false })}</time>
      <span class={`state ${looks[type]}`}>{words[type]}</span>
      <a href={href(objectAddress(of, namespace, name))} dir="auto">
        {namespace === '' ? name : `${namespace}/${name}`}
      </a>
      {manager !== '' && (
        <span class="muted" dir="auto">
          by {manager}
        </span>
      )}
      {said !== '' && (
        <p dir="auto" class="said">
          {said}
        </p>
      )}
      {fields.length > 0 && (
        <ul class="changed-fields">
          {fields.map(({ path, before, after }) => (
            <li key={path} dir="auto">
              <code>{path}</code> <del>{shortened(before)}</del> → <ins>{shortened(after)}</ins>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

const charsMax = 120;

function shortened(text: string | undefined): string {
  if (text === undefined) return 'nothing';
  return text.length > charsMax ? `${text.slice(0, charsMax)}…` : text;
}
