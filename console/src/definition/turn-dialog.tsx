import { useEffect, useRef, useState } from 'preact/hooks';
import {
  type Gate,
  type GatePreview,
  type GateState,
  previewGate,
  turnGate,
} from '../api/definition-reports.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { useAnswer } from '../parts/use-answer.ts';

interface TurnDialogProps {
  readonly crd: string;
  readonly gate: Gate;
  readonly state: GateState;
  /** Values and rules that stand under the gate. */
  readonly guarded: readonly string[];
  /** The address of an object. */
  readonly objectsOf: (namespace: string, name: string) => string;
  readonly onClose: () => void;
}

const verbs: Readonly<Record<GateState, (gate: string) => string>> = {
  true: (gate) => `Turn ${gate} on?`,
  false: (gate) => `Turn ${gate} off?`,
  default: (gate) => `Leave ${gate} to its default?`,
};

const deeds: Readonly<Record<GateState, string>> = {
  true: 'Turn on',
  false: 'Turn off',
  default: 'Leave to its default',
};

/** Says what turning a gate changes, and which objects hold its fields, before it is turned. */
export function TurnDialog({ crd, gate, state, guarded, objectsOf, onClose }: TurnDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [error, setError] = useState<unknown>(undefined);
  useEffect(() => dialog.current?.showModal(), []);
  const preview = useAnswer(
    async (signal) => {
      const found = await previewGate(crd, gate.name, state, signal);
      // Admission may refuse it, and says so before anybody decides.
      await turnGate(crd, found.patch, { dryRun: true });
      return found;
    },
    [crd, gate.name, state],
  );
  const turn = async () => {
    try {
      await turnGate(crd, preview.value?.patch ?? [], { dryRun: false });
      onClose();
    } catch (failure) {
      setError(failure);
    }
  };
  const refusal = error ?? preview.error;
  return (
    <dialog ref={dialog} class="dialog wide" aria-labelledby="turn-title" onClose={onClose}>
      <h2 id="turn-title" dir="auto">
        {verbs[state](gate.name)}
      </h2>
      {preview.isLoading && <p class="muted">Looking through the objects …</p>}
      {preview.value !== undefined && (
        <Preview preview={preview.value} guarded={guarded} objectsOf={objectsOf} />
      )}
      {refusal !== undefined && <ErrorNotice error={refusal} />}
      <div class="dialog-end">
        <button type="button" class="button" onClick={() => dialog.current?.close()}>
          Cancel
        </button>
        <button
          type="button"
          class="button primary"
          disabled={preview.value === undefined}
          onClick={() => void turn()}
        >
          {deeds[state]}
        </button>
      </div>
    </dialog>
  );
}

interface PreviewProps extends Pick<TurnDialogProps, 'guarded' | 'objectsOf'> {
  readonly preview: GatePreview;
}

function Preview({ preview: { changed, objects }, guarded, objectsOf }: PreviewProps) {
  const off = changed.filter(({ enabled }) => !enabled);
  const on = changed.filter(({ enabled }) => enabled);
  return (
    <div class="preview">
      {changed.length === 0 && <p>Nothing changes for objects: the gate stays as it is.</p>}
      <Effects
        gates={off}
        state="off"
        effects={[
          'Objects that hold a field keep it, and it can neither be changed nor removed.',
          'Writes that add such a field get a warning that it was dropped.',
          'Defaults of the fields are not read any more.',
          ...guarded.map((words) => `No longer counts: ${words}`),
        ]}
      />
      <Effects
        gates={on}
        state="on"
        effects={[
          'Writes set the fields: also those of clients that have been sending them all along.',
          'Defaults of the fields show at the next read of every object, without an event.',
          ...guarded.map((words) => `Counts from then on: ${words}`),
        ]}
      />
      {changed.length > 0 && (
        <p class="muted">It takes effect for everybody with the next request. Open watches end and resume.</p>
      )}
      <Holders objects={objects} objectsOf={objectsOf} />
    </div>
  );
}

interface EffectsProps {
  readonly gates: readonly Gate[];
  readonly state: string;
  readonly effects: readonly string[];
}

function Effects({ gates, state, effects }: EffectsProps) {
  if (gates.length === 0) return null;
  return (
    <>
      <p>
        Goes {state}:{' '}
        {gates.map(({ name, fieldPaths }) => (
          <span key={name}>
            <strong dir="auto">{name}</strong> <code dir="auto">{fieldPaths.join(', ')}</code>{' '}
          </span>
        ))}
      </p>
      <ul class="words">
        {effects.map((effect) => (
          <li key={effect} dir="auto">
            {effect}
          </li>
        ))}
      </ul>
    </>
  );
}

function Holders({ objects, objectsOf }: Pick<GatePreview, 'objects'> & Pick<TurnDialogProps, 'objectsOf'>) {
  if ('hidden' in objects)
    return <p class="notice">Which objects hold a field is not told: {objects.hidden}</p>;
  const { count, items } = objects;
  return (
    <>
      <p>
        <strong>
          {count === 0 ? 'No object holds' : count === 1 ? '1 object holds' : `${count} objects hold`}
        </strong>{' '}
        a field of it{count > items.length ? `, of which these are the first ${items.length}:` : '.'}
      </p>
      <ul class="holders">
        {items.map(({ namespace, name, fieldPaths }) => (
          <li key={`${namespace}/${name}`}>
            <a href={objectsOf(namespace, name)} dir="auto">
              {namespace === '' ? name : `${namespace}/${name}`}
            </a>{' '}
            <code dir="auto">{fieldPaths.join(', ')}</code>
          </li>
        ))}
      </ul>
    </>
  );
}
