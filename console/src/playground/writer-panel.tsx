import { useId, useState } from 'preact/hooks';
import { change, current, loads } from './case-store.ts';

/** Who writes, and into which namespace, as policies see it. */
export function WriterPanel() {
  const { user, groups, namespaceLabels } = current.peek();
  const labels = Object.entries(namespaceLabels).map(([key, value]) => `${key}=${value}`);
  return (
    <div class="writer" key={loads.value}>
      <TextField
        label="User"
        hint="an administrator"
        start={user}
        onText={(text) => change({ user: text.trim() })}
      />
      <TextField
        label="Groups of the user"
        hint="dev, admins"
        start={groups.join(', ')}
        onText={(text) => change({ groups: wordsOf(text) })}
      />
      <TextField
        label="Labels of the namespace"
        hint="env=production"
        start={labels.join(', ')}
        onText={(text) => change({ namespaceLabels: labelsOf(text) })}
      />
      <p class="muted">The user may do everything; only policies can refuse.</p>
    </div>
  );
}

function wordsOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

function labelsOf(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    wordsOf(text).map((word): [string, string] => {
      const at = word.indexOf('=');
      return at === -1 ? [word, ''] : [word.slice(0, at).trim(), word.slice(at + 1).trim()];
    }),
  );
}

interface TextFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly start: string;
  readonly onText: (text: string) => void;
}

function TextField({ label, hint, start, onText }: TextFieldProps) {
  const id = useId();
  const [text, setText] = useState(start);
  return (
    <>
      <label for={id}>{label}</label>
      <input
        id={id}
        class="input"
        value={text}
        placeholder={hint}
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          onText(currentTarget.value);
        }}
      />
    </>
  );
}
