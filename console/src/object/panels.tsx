import { useMemo, useState } from 'preact/hooks';
import { type Condition, conditionsOf, type Json, type KubeObject } from '../api/kube-object.ts';
import { ageOf } from '../objects/age.ts';
import { Difference } from './editor-box.tsx';
import { fieldOwners, pathWords } from './field-owners.ts';
import type { SeenVersion } from './object-feed.ts';
import { editableText, yamlOf } from './yaml-text.ts';

/** The status, beside the text that is edited. */
export function StatusPanel({ object }: { readonly object: KubeObject }) {
  const conditions = conditionsOf(object.status);
  const text = useMemo(
    () => (object.status === undefined ? '' : yamlOf(JSON.stringify(object.status as Json))),
    [object],
  );
  if (text === '') return <p class="muted">It has no status yet: a controller writes one.</p>;
  return (
    <>
      {conditions.map((condition) => (
        <ConditionLine key={condition.type} condition={condition} />
      ))}
      <pre class="yaml">{text}</pre>
    </>
  );
}

export function ConditionLine({
  condition: { type, status, reason, message, lastTransitionTime },
}: {
  readonly condition: Condition;
}) {
  const look = status === 'True' ? 'ok' : status === 'False' ? 'bad' : 'wait';
  return (
    <div class="condition">
      <span class={`state ${look}`}>
        {type} {status === 'True' ? '' : status}
      </span>{' '}
      <span class="muted" dir="auto">
        {[reason, message].filter(Boolean).join(': ')}{' '}
        {lastTransitionTime !== undefined && `· ${ageOf(lastTransitionTime, Date.now())} ago`}
      </span>
    </div>
  );
}

/** Who owns which fields: a colour for each manager. */
export function OwnersPanel({ object }: { readonly object: KubeObject }) {
  const owners = useMemo(() => fieldOwners(object), [object]);
  if (owners.length === 0) return <p class="muted">It has no managed fields.</p>;
  return owners.map(({ manager, operation, subresource, time, fields }, index) => (
    <details
      key={`${manager} ${operation} ${subresource} ${time}`}
      class={`owner owner-${index % 6}`}
      open={index < 3}
    >
      <summary>
        <strong dir="auto">{manager}</strong>{' '}
        <span class="muted">
          {operation}
          {subresource !== '' && ` of /${subresource}`}, {ageOf(time, Date.now())} ago, {fields.length} field
          {fields.length === 1 ? '' : 's'}
        </span>
      </summary>
      <ul>
        {fields.slice(0, 200).map((path) => (
          <li key={pathWords(path)}>
            <code dir="auto">{pathWords(path)}</code>
          </li>
        ))}
        {fields.length > 200 && <li class="muted">and {fields.length - 200} more</li>}
      </ul>
    </details>
  ));
}

/** What was seen of the object since the page is open. */
export function HistoryPanel({ versions }: { readonly versions: readonly SeenVersion[] }) {
  const [at, setAt] = useState(0);
  if (versions.length < 2)
    return (
      <p class="muted">
        Nothing has changed since you opened this page. Changes are kept here while it is open.
      </p>
    );
  const shown = Math.min(Math.max(1, at === 0 ? versions.length - 1 : at), versions.length - 1);
  const textOf = (version: SeenVersion | undefined) =>
    version === undefined ? '' : editableText(version.text, { hasStatus: false });
  return (
    <>
      <label class="pick">
        Change{' '}
        <select
          class="input"
          value={String(shown)}
          onChange={({ currentTarget }) => setAt(Number(currentTarget.value))}
        >
          {versions.slice(1).map(({ object, seenMs, isDeleted }, index) => (
            <option key={`${object.metadata.resourceVersion} ${isDeleted}`} value={String(index + 1)}>
              {new Date(seenMs).toLocaleTimeString('en-GB')}{' '}
              {isDeleted ? 'deleted' : `version ${object.metadata.resourceVersion}`}
            </option>
          ))}
        </select>
      </label>
      <Difference before={textOf(versions[shown - 1])} after={textOf(versions[shown])} />
    </>
  );
}
