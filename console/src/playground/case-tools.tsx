import { useState } from 'preact/hooks';
import { definitions, findKind } from '../kinds/kind-store.ts';
import { Icon } from '../parts/icon.tsx';
import { useWhileShown } from '../parts/use-while-shown.ts';
import { fragmentOf } from './case-link.ts';
import { current, load } from './case-store.ts';
import { examples } from './examples.ts';
import { emptyCase, type PlaygroundCase } from './playground-case.ts';
import { listPolicies, loadDefinition, loadPolicy, type PolicyRef } from './server-texts.ts';

interface CaseToolsProps {
  readonly onTrouble: (error: unknown) => void;
}

/** Where a case comes from, and how it is passed on. */
export function CaseTools({ onTrouble }: CaseToolsProps) {
  const policies = usePolicies();
  const take = (loading: Promise<Partial<PlaygroundCase>>) => {
    onTrouble(undefined);
    loading.then(load, onTrouble);
  };
  const known = [...definitions.value.values()];
  return (
    <>
      <Choice
        label="Examples"
        options={examples.map(({ name }) => name)}
        onChoose={(at) => take(Promise.resolve({ ...emptyCase, ...examples[at]?.case }))}
      />
      <Choice
        label="Definitions of this server"
        options={known.map(({ name }) => name)}
        onChoose={(at) => {
          const definition = known[at];
          if (definition === undefined) return;
          const kind = findKind(definition.group, definition.plural);
          const objects = kind && { ...definition, version: kind.versions[0].version };
          take(loadDefinition(definition.name, objects).then((texts) => ({ rule: '', ...texts })));
        }}
      />
      <Choice
        label="Policies of this server"
        options={policies.map(({ name }) => name)}
        onChoose={(at) => {
          const policy = policies[at];
          if (policy !== undefined) take(loadPolicy(policy).then((texts) => ({ rule: '', ...texts })));
        }}
      />
      <LinkButton onTrouble={onTrouble} />
    </>
  );
}

function usePolicies(): readonly PolicyRef[] {
  const [policies, setPolicies] = useState<readonly PolicyRef[]>([]);
  useWhileShown((signal) => void listPolicies(signal).then(setPolicies), []);
  return policies;
}

interface ChoiceProps {
  readonly label: string;
  readonly options: readonly string[];
  readonly onChoose: (index: number) => void;
}

/** A list that takes over what is chosen, and has nothing chosen afterwards. */
function Choice({ label, options, onChoose }: ChoiceProps) {
  if (options.length === 0) return null;
  return (
    <select
      class="input"
      aria-label={label}
      value=""
      onChange={({ currentTarget }) => {
        const at = Number(currentTarget.value);
        currentTarget.value = '';
        onChoose(at);
      }}
    >
      <option value="" disabled selected>
        {label}
      </option>
      {options.map((name, at) => (
        <option key={name} value={at}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** Puts the whole case into the address, and copies that. */
function LinkButton({ onTrouble }: CaseToolsProps) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      onTrouble(undefined);
      const fragment = await fragmentOf(current.peek());
      history.replaceState(null, '', `/console/playground${fragment}`);
      await navigator.clipboard.writeText(location.href).then(
        () => setCopied(true),
        // Not allowed here: it can be copied from the address.
        () => {},
      );
      setTimeout(() => setCopied(false), 1_500);
    } catch (error) {
      onTrouble(error);
    }
  };
  return (
    <button type="button" class="button primary" onClick={() => void copy()}>
      <Icon name={isCopied ? 'check' : 'copy'} /> {isCopied ? 'Copied' : 'Link to this case'}
    </button>
  );
}
