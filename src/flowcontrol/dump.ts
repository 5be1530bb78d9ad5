import type { FlowController } from './flow-controller.ts';
import type { Place } from './place.ts';
import type { FlowQueue } from './queue-set.ts';

/** The tables of upstream's debugging endpoints: columns end in a comma and are padded with spaces. */

const columnWidthMin = 8;

/** Format: Go's text/tabwriter with a padding of one. */
function tableText(rows: readonly (readonly string[])[]): string {
  const width = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: width - 1 }, (_, at) =>
    Math.max(columnWidthMin, ...rows.map((row) => (row[at] ?? '').length + 2)),
  );
  const line = (row: readonly string[]) =>
    row.map((cell, at) => (at === row.length - 1 ? cell : `${cell},`.padEnd(widths[at] ?? 0))).join('');
  return rows.map((row) => `${line(row)}\n`).join('');
}

/** A row for each priority level. */
export function dumpPriorityLevels({ levels }: FlowController): string {
  const header = [
    ...['PriorityLevelName', 'ActiveQueues', 'IsIdle', 'IsQuiescing', 'WaitingRequests', 'ExecutingRequests'],
    ...['DispatchedRequests', 'RejectedRequests', 'TimedoutRequests', 'CancelledRequests'],
  ];
  const rows = levels.map(({ config, queueSet }) => {
    const { totals } = queueSet;
    const active = queueSet.queues.filter(({ waiting }) => waiting.length > 0).length;
    const state = [active, queueSet.isIdle, false, queueSet.waiting, queueSet.executing];
    const counts = [totals.dispatched, totals.rejected, totals.timedOut, totals.cancelled];
    return [config.name, ...[...state, ...counts].map(String)];
  });
  return tableText([header, ...rows]);
}

/** A row for each queue of each level. */
export function dumpQueues({ levels }: FlowController): string {
  const header = [
    ...['PriorityLevelName', 'Index', 'PendingRequests', 'ExecutingRequests', 'SeatsInUse', 'NextDispatchR'],
    ...['InitialSeatsSum', 'MaxSeatsSum', 'TotalWorkSum'],
  ];
  const rows = levels.flatMap(({ config, queueSet }) =>
    queueSet.queues.map((queue, at) => [config.name, String(at), ...queueCells(queue)]),
  );
  return tableText([header, ...rows]);
}

const seatSeconds = (seconds: number) => `${seconds.toFixed(8)}ss`;

function queueCells({ waiting, executing, seatsInUse, seatsWaiting, nextDispatchR }: FlowQueue): string[] {
  const seats = String(seatsWaiting);
  return [
    ...[waiting.length, executing.size, seatsInUse].map(String),
    seatSeconds(nextDispatchR),
    ...[seats, seats, seatSeconds(seatsWaiting * 0.003)],
  ];
}

interface DumpRequestsOptions {
  /** With the user and the attributes of each request. */
  readonly details: boolean;
  /** Formats a time of the controller's clock. */
  readonly timeOf: (ms: number) => string;
}

/** A row for each waiting or running request. */
export function dumpRequests({ levels }: FlowController, options: DumpRequestsOptions): string {
  const header = [
    ...['PriorityLevelName', 'FlowSchemaName', 'QueueIndex', 'RequestIndexInQueue', 'FlowDistingsher'],
    ...['ArriveTime', 'InitialSeats', 'FinalSeats', 'AdditionalLatency', 'StartTime'],
    ...(options.details
      ? ['UserName', 'Verb', 'APIPath', 'Namespace', 'Name', 'APIVersion', 'Resource', 'SubResource']
      : []),
  ];
  const rows = levels.flatMap(({ config, queueSet }) => {
    const row = (place: Place, queue: number, at: number) => [
      ...[config.name, place.flow.schemaName, String(queue), String(at)],
      ...requestCells(place, options),
    ];
    return [
      ...queueSet.queues.flatMap(({ waiting, executing }, queue) => [
        ...waiting.map((place, at) => row(place, queue, at)),
        ...[...executing].map((place) => row(place, queue, -1)),
      ]),
      ...[...queueSet.queueless].map((place) => row(place, -1, -1)),
    ];
  });
  return tableText([header, ...rows]);
}

const neverStarted = '0001-01-01T00:00:00Z';

function requestCells(place: Place, { details, timeOf }: DumpRequestsOptions): string[] {
  const { flow, digest, seats, arrivedMs, startedMs } = place;
  const { user, verb, path, resource } = digest;
  const started = startedMs === undefined ? neverStarted : timeOf(startedMs);
  const cells = [flow.distinguisher, timeOf(arrivedMs), String(seats), '0', '0s', started];
  if (!details) return cells;
  const { group = '', version = '', namespace = '', name = '' } = resource ?? {};
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const what = [resource?.resource ?? '', resource?.subresource ?? ''];
  return [...cells, user.name, verb, path, namespace, name, apiVersion, ...what];
}
