import { useState } from 'preact/hooks';
import { selectableFields } from '../api/kind-schema.ts';
import { definitionAddress, refOf } from '../app/addresses.ts';
import { PageHead } from '../app/page-head.tsx';
import type { PageProps } from '../app/pages.ts';
import { href, place, setQuery } from '../app/router.ts';
import { kindText, type WindowQuery } from '../events/window-query.ts';
import { findKind } from '../kinds/kind-store.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Icon } from '../parts/icon.tsx';
import { LiveMark } from '../parts/live-mark.tsx';
import { useSchema } from '../parts/use-schema.ts';
import { useWhileShown } from '../parts/use-while-shown.ts';
import { FilterBar } from './filter-bar.tsx';
import { ObjectsFeed } from './objects-feed.ts';
import { ObjectsFoot } from './objects-foot.tsx';
import type { ObjectsQuery } from './objects-query.ts';
import { ObjectsTable } from './objects-table.tsx';
import { sortingOf, sortingText } from './sorted-rows.ts';

/** The objects of a kind, as a table with the kind's own columns. */
export function ObjectsPage({ parameters }: PageProps) {
  const reference = refOf(parameters);
  const { query: asked } = place.value;
  const query: ObjectsQuery = {
    ref: reference,
    namespace: asked.get('namespace') ?? '',
    labels: asked.get('labels') ?? '',
    fields: asked.get('fields') ?? '',
    filter: asked.get('filter') ?? '',
  };
  const sorting = sortingOf(asked.get('sort') ?? '');
  const kind = findKind(reference.group, reference.plural);
  const [isWide, setWide] = useState(false);
  const feed = useFeed(query);
  const schema = useSchema(reference.group, reference.version, kind?.kind);
  const namespaced = kind?.namespaced ?? false;
  if (feed === undefined) return null;
  const view = feed.view.value;
  const liveness = feed.liveness.value;
  return (
    <>
      <PageHead
        title={kind?.kind ?? reference.plural}
        trail={<Trail group={reference.group} />}
        aside={<LiveMark liveness={liveness} />}
      >
        {view.columns.some(({ priority = 0 }) => priority > 0) && (
          <label class="check">
            <input
              type="checkbox"
              checked={isWide}
              onChange={({ currentTarget }) => setWide(currentTarget.checked)}
            />{' '}
            Wide
          </label>
        )}
        <PageLinks query={query} kind={kind?.kind ?? 'object'} />
      </PageHead>
      <FilterBar query={query} namespaced={namespaced} rows={view.rows} fields={selectableFields(schema)} />
      {liveness.state === 'refused' && (
        <ErrorNotice title="These objects cannot be shown" error={liveness.error} />
      )}
      {view.rows.length > 0 && (
        <ObjectsTable
          feed={feed}
          view={view}
          reference={reference}
          withNamespace={namespaced && query.namespace === ''}
          isWide={isWide}
          sorting={sorting}
          onSort={(next) => setQuery({ sort: sortingText(next) })}
        />
      )}
      {view.rows.length === 0 && liveness.state !== 'loading' && liveness.state !== 'refused' && (
        <Nothing query={query} />
      )}
      <ObjectsFoot feed={feed} query={query} namespaced={namespaced} isSorted={sorting.column !== ''} />
    </>
  );
}

function PageLinks({ query, kind }: { readonly query: ObjectsQuery; readonly kind: string }) {
  const { ref: reference, namespace } = query;
  const { group, version, plural } = reference;
  return (
    <>
      <a class="button" href={href('/changes', { windows: JSON.stringify([changesOf(query)]) })}>
        Changes
      </a>
      <a class="button" href={href(definitionAddress(reference), { version })}>
        Definition
      </a>
      <a class="button primary" href={href('/new', { kind: `${plural}.${version}.${group}`, namespace })}>
        <Icon name="plus" /> New {kind}
      </a>
    </>
  );
}

/** A window that follows the same objects. */
function changesOf({ ref, namespace, labels, fields }: ObjectsQuery): WindowQuery {
  return { kind: kindText(ref), namespace, labels, fields };
}

function Trail({ group }: { readonly group: string }) {
  return (
    <>
      <a href={href('/')}>Kinds</a> / {group === '' ? 'core' : group}
    </>
  );
}

function Nothing({ query: { namespace, labels, fields, filter } }: { readonly query: ObjectsQuery }) {
  const isFiltered = labels !== '' || fields !== '' || filter !== '' || namespace !== '';
  return (
    <EmptyState title={isFiltered ? 'Nothing matches' : 'No objects yet'}>
      <p>
        {isFiltered
          ? 'Objects that start to match appear here by themselves.'
          : 'Create one with the button above, or with kubectl: it appears here by itself.'}
      </p>
    </EmptyState>
  );
}

/** A feed for as long as the query stays the same. */
function useFeed(query: ObjectsQuery): ObjectsFeed | undefined {
  const [feed, setFeed] = useState<ObjectsFeed | undefined>(undefined);
  useWhileShown(
    (signal) => {
      const next = new ObjectsFeed(query, signal);
      setFeed(next);
      void next.run();
    },
    [JSON.stringify(query)],
  );
  return feed;
}
