import { useEffect, useMemo, useState } from 'preact/hooks';
import type { KindSchema } from '../api/kind-schema.ts';
import type { Finding } from '../object/yaml-editor.ts';
import { parseFieldPath, parseYaml } from '../object/yaml-text.ts';
import { typedValue, valueAt, withField, withoutField } from './edit-text.ts';
import { type FormParts, ObjectFields, TextField } from './form-field.tsx';

interface FormBoxProps {
  readonly text: string;
  readonly schema: KindSchema | undefined;
  readonly namespaced: boolean;
  readonly tryOut: (text: string) => Promise<Finding | undefined>;
  readonly onChange: (text: string) => void;
}

const tryAfterMs = 500;
/** What has fields of its own in the form, or is nothing that people write. */
const common: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'status']);

/** A form made from the schema. It edits the same text as the editor; errors of a dry run stand at their fields. */
export function FormBox({ text, schema, namespaced, tryOut, onChange }: FormBoxProps) {
  const document = useMemo(() => parseYaml(text), [text]);
  const finding = useFinding(text, tryOut);
  const errors = useMemo(() => errorsByField(finding), [finding]);
  if (document.errors.length > 0)
    return (
      <p class="notice warn">The text is not YAML: {document.errors[0]?.message}. Mend it as text first.</p>
    );
  if (schema === undefined)
    return <p class="muted">There is no schema to make a form from: write it as text.</p>;
  const parts: FormParts = {
    schema,
    valueAt: (path) => valueAt(document, path),
    errorAt: (path) => errors.get(JSON.stringify(path)),
    onType: (path, typed, type) => onChange(withField(text, path, typedValue(typed, type))),
    onSet: (path, value) => onChange(withField(text, path, value)),
    onRemove: (path) => onChange(withoutField(text, path)),
  };
  const name = { type: 'string', description: 'How the object is called, within its namespace.' };
  return (
    <form class="form" aria-label="New object" onSubmit={(event) => event.preventDefault()}>
      {finding !== undefined && (
        <p class="notice bad" role="status">
          {finding.message}
        </p>
      )}
      <TextField parts={parts} path={['metadata', 'name']} name="name" schema={name} isRequired />
      {namespaced && (
        <TextField
          parts={parts}
          path={['metadata', 'namespace']}
          name="namespace"
          schema={{ type: 'string' }}
          isRequired
        />
      )}
      <ObjectFields
        parts={parts}
        path={[]}
        schema={schema.resolve(schema.root) ?? schema.root}
        hidden={common}
      />
    </form>
  );
}

/** The result of a dry run of a text that has not changed for a moment. */
function useFinding(text: string, tryOut: FormBoxProps['tryOut']): Finding | undefined {
  const [finding, setFinding] = useState<Finding | undefined>(undefined);
  useEffect(() => {
    let isOld = false;
    const timer = setTimeout(async () => {
      const found = await tryOut(text);
      if (!isOld) setFinding(found);
    }, tryAfterMs);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [text]);
  return finding;
}

function errorsByField(finding: Finding | undefined): ReadonlyMap<string, string> {
  const errors = new Map<string, string>();
  for (const { field = '', message = '' } of finding?.causes ?? []) {
    const key = JSON.stringify(parseFieldPath(field));
    errors.set(key, errors.has(key) ? `${errors.get(key)}; ${message}` : message);
  }
  return errors;
}
