import { CopyLine } from '../parts/copy-line.tsx';
import { type ObjectsFeed, type ObjectsView, sortedRowsMax } from './objects-feed.ts';
import { kubectlCommand, type ObjectsQuery } from './objects-query.ts';

interface ObjectsFootProps {
  readonly feed: ObjectsFeed;
  readonly query: ObjectsQuery;
  readonly namespaced: boolean;
  readonly isSorted: boolean;
}

/** How many objects are loaded, what that means for their order, and the command that lists them. */
export function ObjectsFoot({ feed, query, namespaced, isSorted }: ObjectsFootProps) {
  const view = feed.view.value;
  const isFirst = feed.liveness.value.state === 'loading' && view.columns.length === 0;
  return (
    <footer class="table-foot">
      <span role="status">{isFirst ? 'Loading' : countText(view)}</span>
      <CopyLine text={kubectlCommand(query, { namespaced })} label="Copy the kubectl command" />
      {isSorted && !view.isComplete && <SortNote feed={feed} />}
    </footer>
  );
}

/** The API cannot sort: a sort of loaded rows says so, and offers to load the rest. */
function SortNote({ feed }: { readonly feed: ObjectsFeed }) {
  const { rows, total } = feed.view.value;
  const isTooMany = rows.length >= sortedRowsMax || (total ?? 0) > sortedRowsMax;
  return (
    <p class="notice warn sort-note">
      <span>
        Only the {numberText(rows.length)} objects that are loaded are sorted.{' '}
        {isTooMany && `Filter to ${numberText(sortedRowsMax)} or fewer to sort all of them.`}
      </span>
      {!isTooMany && (
        <button
          type="button"
          class="button small"
          disabled={feed.isLoadingAll.value}
          onClick={() => void feed.loadAll()}
        >
          {feed.isLoadingAll.value ? 'Loading' : 'Load and sort all'}
        </button>
      )}
    </p>
  );
}

function countText({ rows, total, isComplete }: ObjectsView): string {
  const loaded = numberText(rows.length);
  if (isComplete) return `${loaded} object${rows.length === 1 ? '' : 's'}`;
  return `${loaded} of ${total === undefined ? 'more' : numberText(total)} loaded, more as you scroll`;
}

function numberText(count: number): string {
  return count.toLocaleString('en');
}
