import { useId, useState } from 'preact/hooks';
import { type DiffReport, diffWithFile } from '../api/definition-reports.ts';
import type { ResourceRef } from '../api/paths.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { ChangesTable } from './changes-table.tsx';
import { LiveObjects } from './live-objects.tsx';

interface OtherFile {
  readonly name: string;
  readonly text: string;
}

interface DiffPanelProps {
  /** Of the definition. */
  readonly name: string;
  /** Where its objects are, in the version that is stored. */
  readonly objects: ResourceRef;
}

/** The difference to another CRD file, which is dropped here or chosen. */
export function DiffPanel({ name, objects }: DiffPanelProps) {
  const [file, setFile] = useState<OtherFile | undefined>(undefined);
  const [isOld, setOld] = useState(false);
  const [isOver, setOver] = useState(false);
  const [report, setReport] = useState<DiffReport | undefined>(undefined);
  const [error, setError] = useState<unknown>(undefined);
  const id = useId();
  const compare = async (other: OtherFile, old: boolean) => {
    setReport(undefined);
    setError(undefined);
    try {
      setReport(await diffWithFile(name, other.text, { isOld: old }));
    } catch (failure) {
      setError(failure);
    }
  };
  const take = async (taken: File | undefined) => {
    if (taken === undefined) return;
    const other = { name: taken.name, text: await taken.text() };
    setFile(other);
    await compare(other, isOld);
  };
  const turn = (old: boolean) => {
    setOld(old);
    if (file !== undefined) void compare(file, old);
  };
  return (
    <>
      <section
        class={`drop${isOver ? ' over' : ''}`}
        aria-label="Another CRD file"
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          void take(event.dataTransfer?.files[0]);
        }}
      >
        <label for={id}>Drop another CRD file here, or choose one: YAML or JSON</label>
        <input
          id={id}
          type="file"
          accept=".yaml,.yml,.json"
          onChange={({ currentTarget }) => void take(currentTarget.files?.[0])}
        />
        <AgeChoice isOld={isOld} onTurn={turn} />
      </section>
      {file !== undefined && (
        <p class="muted" dir="auto">
          {file.name}
        </p>
      )}
      {error !== undefined && <ErrorNotice title="The file cannot be compared" error={error} />}
      {report !== undefined && <ChangesTable report={report} />}
      {report !== undefined && file !== undefined && !isOld && (
        <LiveObjects key={file.text} of={objects} definition={file.text} />
      )}
    </>
  );
}

interface AgeChoiceProps {
  readonly isOld: boolean;
  readonly onTurn: (old: boolean) => void;
}

function AgeChoice({ isOld, onTurn }: AgeChoiceProps) {
  return (
    <fieldset class="choices">
      <legend>The file is</legend>
      <label>
        <input type="radio" name="age" checked={!isOld} onChange={() => onTurn(false)} /> newer: what would it
        change here?
      </label>
      <label>
        <input type="radio" name="age" checked={isOld} onChange={() => onTurn(true)} /> older: what has
        changed since?
      </label>
    </fieldset>
  );
}
