import { useState } from 'preact/hooks';
import { messageOf } from '../api/api-error.ts';
import { conditionsOf, type KubeObject } from '../api/kube-object.ts';
import { getJson } from '../api/request.ts';
import { ageOf } from '../objects/age.ts';
import { useWhileShown } from '../parts/use-while-shown.ts';

interface Moment {
  readonly time: string;
  readonly what: string;
  readonly detail: string;
  readonly isBad: boolean;
}

interface EventObject {
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly count?: number;
  readonly lastTimestamp?: string;
  readonly eventTime?: string;
  readonly metadata: { readonly creationTimestamp?: string };
}

/** Conditions and events in the order of time, the latest first. */
export function TimelinePanel({ object }: { readonly object: KubeObject }) {
  const [events, setEvents] = useState<readonly EventObject[]>([]);
  const [refusal, setRefusal] = useState('');
  const { uid = '', resourceVersion } = object.metadata;
  useWhileShown(
    (signal) => {
      const selector = encodeURIComponent(`involvedObject.uid=${uid}`);
      getJson<{ items: readonly EventObject[] }>(`/api/v1/events?limit=200&fieldSelector=${selector}`, {
        signal,
      }).then(
        ({ items }) => setEvents(items),
        (error: unknown) => setRefusal(messageOf(error)),
      );
    },
    [uid, resourceVersion],
  );
  const moments = [...ownMoments(object), ...events.map(eventMoment)].sort((a, b) =>
    a.time < b.time ? 1 : -1,
  );
  return (
    <>
      {refusal !== '' && <p class="notice">Events are not shown: {refusal}</p>}
      <ol class="timeline">
        {moments.map(({ time, what, detail, isBad }, index) => (
          <li key={`${time} ${what} ${index}`} class={isBad ? 'bad' : ''}>
            <time dateTime={time} title={time}>
              {ageOf(time, Date.now())}
            </time>
            <div>
              <strong dir="auto">{what}</strong>
              <span class="muted" dir="auto">
                {detail}
              </span>
            </div>
          </li>
        ))}
      </ol>
    </>
  );
}

function ownMoments({ metadata, status }: KubeObject): Moment[] {
  const { creationTimestamp, deletionTimestamp, managedFields = [] } = metadata;
  return [
    ...(creationTimestamp === undefined
      ? []
      : [{ time: creationTimestamp, what: 'Created', detail: '', isBad: false }]),
    ...(deletionTimestamp === undefined
      ? []
      : [
          {
            time: deletionTimestamp,
            what: 'Deletion asked for',
            detail: (metadata.finalizers ?? []).join(', '),
            isBad: true,
          },
        ]),
    ...conditionsOf(status).flatMap(
      ({ type, status: value, reason = '', message = '', lastTransitionTime }) =>
        lastTransitionTime === undefined
          ? []
          : [
              {
                time: lastTransitionTime,
                what: `${type} is ${value}`,
                detail: `${reason} ${message}`,
                isBad: value === 'False',
              },
            ],
    ),
    ...managedFields.flatMap(({ manager = '', operation = '', time }) =>
      time === undefined ? [] : [{ time, what: `${operation} by ${manager}`, detail: '', isBad: false }],
    ),
  ];
}

function eventMoment({
  type,
  reason = '',
  message = '',
  count = 1,
  lastTimestamp,
  eventTime,
  metadata,
}: EventObject): Moment {
  const time = lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? '';
  return {
    time,
    what: count > 1 ? `${reason} (${count} times)` : reason,
    detail: message,
    isBad: type === 'Warning',
  };
}
