import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ResourceRef } from '../api/paths.ts';
import { objectAddress } from '../app/addresses.ts';
import { href } from '../app/router.ts';
import { Icon } from '../parts/icon.tsx';
import { useVisibleRows } from '../parts/use-visible-rows.ts';
import { ageOf } from './age.ts';
import type { ObjectsFeed, ObjectsView } from './objects-feed.ts';
import type { Column, Row } from './row.ts';
import { type Sorting, sortedRows } from './sorted-rows.ts';

const rowPx = 34;
/** Rows above and below those that are on the screen. */
const spareRows = 12;
const flashMs = 2_500;

interface ObjectsTableProps {
  readonly feed: ObjectsFeed;
  readonly view: ObjectsView;
  readonly reference: ResourceRef;
  readonly withNamespace: boolean;
  readonly isWide: boolean;
  readonly sorting: Sorting;
  readonly onSort: (sorting: Sorting) => void;
}

/** A table that draws the rows that are on the screen, and loads the next page when the last one is near. */
export function ObjectsTable(props: ObjectsTableProps) {
  const { feed, view, reference, withNamespace, isWide, sorting, onSort } = props;
  const box = useRef<HTMLElement>(null);
  const window = useVisibleRows(box, rowPx);
  const nowMs = useNow();
  const rows = useMemo(
    () => sortedRows(view.rows, view.columns, sorting),
    [view, sorting.column, sorting.isDescending],
  );
  const first = Math.max(0, Math.min(window.first - spareRows, rows.length - 1));
  const last = Math.min(rows.length, window.last + spareRows);
  useEffect(() => {
    if (!view.isComplete && window.last + spareRows * 4 >= rows.length) void feed.loadMore();
  }, [feed, view, window.last, rows.length]);
  const columns = view.columns
    .map((column, at) => ({ column, at }))
    .filter(({ column }) => isWide || (column.priority ?? 0) === 0);
  const widths = columns.length + (withNamespace ? 1 : 0);
  return (
    <section
      class="table-scroll virtual"
      ref={box}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
      tabIndex={0}
      aria-label="Objects"
      onKeyDown={moveBetweenRows}
    >
      <table class="table objects" aria-rowcount={view.total ?? -1}>
        <thead>
          <tr>
            {withNamespace && (
              <Head column={{ name: 'Namespace', type: 'string' }} sorting={sorting} onSort={onSort} />
            )}
            {columns.map(({ column }) => (
              <Head key={column.name} column={column} sorting={sorting} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          <Space rows={first} columns={widths} />
          {rows.slice(first, last).map((row, index) => (
            <tr
              key={row.key}
              aria-rowindex={first + index + 2}
              class={
                nowMs - row.changedMs < flashMs ? (row.isNew ? 'flash-new' : 'flash-changed') : undefined
              }
            >
              {withNamespace && <td dir="auto">{row.metadata.namespace}</td>}
              {columns.map(({ column, at }) => (
                <Cell
                  key={column.name}
                  row={row}
                  column={column}
                  at={at}
                  reference={reference}
                  nowMs={nowMs}
                />
              ))}
            </tr>
          ))}
          <Space rows={rows.length - last} columns={widths} />
        </tbody>
      </table>
    </section>
  );
}

interface CellProps {
  readonly row: Row;
  readonly column: Column;
  readonly at: number;
  readonly reference: ResourceRef;
  readonly nowMs: number;
}

function Cell({ row, column, at, reference, nowMs }: CellProps) {
  const text = column.name === 'Age' ? ageOf(row.metadata.creationTimestamp, nowMs) : (row.cells[at] ?? '');
  if (at > 0) {
    const isNumber = column.type === 'integer' || column.type === 'number';
    return (
      <td class={isNumber ? 'number' : undefined} title={text.length > 24 ? text : undefined} dir="auto">
        {text}
      </td>
    );
  }
  const { namespace = '', name, deletionTimestamp } = row.metadata;
  return (
    <th scope="row" title={name.length > 24 ? name : undefined}>
      <a href={href(objectAddress(reference, namespace, name))} dir="auto">
        {name}
      </a>
      {deletionTimestamp !== undefined && <span class="chip">being deleted</span>}
    </th>
  );
}

interface HeadProps {
  readonly column: Column;
  readonly sorting: Sorting;
  readonly onSort: (sorting: Sorting) => void;
}

function Head({ column: { name, type, description }, sorting, onSort }: HeadProps) {
  const isSorted = sorting.column === name;
  const order = isSorted ? (sorting.isDescending ? 'descending' : 'ascending') : 'none';
  const next = () => {
    if (isSorted && sorting.isDescending) onSort({ column: '', isDescending: false });
    else onSort({ column: name, isDescending: isSorted });
  };
  return (
    <th scope="col" aria-sort={order} class={type === 'integer' || type === 'number' ? 'number' : undefined}>
      <button type="button" class="sort" onClick={next} title={description?.split('. ')[0]}>
        {name}
        {isSorted && <Icon name={sorting.isDescending ? 'down' : 'up'} />}
      </button>
    </th>
  );
}

/** Holds the place of rows that are not drawn. */
function Space({ rows, columns }: { readonly rows: number; readonly columns: number }) {
  if (rows <= 0) return null;
  return (
    <tr class="space">
      <td colSpan={columns} style={{ height: `${rows * rowPx}px` }} />
    </tr>
  );
}

/** The time, once a second: ages grow. */
function useNow(): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return Math.max(nowMs, Date.now());
}

/** Arrow keys go from name to name; Enter is the link's own. */
function moveBetweenRows(event: KeyboardEvent): void {
  const step =
    event.key === 'ArrowDown' || event.key === 'j'
      ? 1
      : event.key === 'ArrowUp' || event.key === 'k'
        ? -1
        : 0;
  if (step === 0 || !(event.currentTarget instanceof HTMLElement)) return;
  const links = [...event.currentTarget.querySelectorAll<HTMLAnchorElement>('tbody th a')];
  const focused = document.activeElement;
  const at = focused instanceof HTMLAnchorElement ? links.indexOf(focused) : -1;
  const next = at === -1 ? links[0] : links[at + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
  next.scrollIntoView({ block: 'nearest' });
}
