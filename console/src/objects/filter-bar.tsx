import { useEffect, useId, useState } from 'preact/hooks';
import { setQuery } from '../app/router.ts';
import { getJson } from '../api/request.ts';
import type { KubeList, KubeObject } from '../api/kube-object.ts';
import { useWhileShown } from '../parts/use-while-shown.ts';
import { fieldCompletions, labelCompletions } from './completions.ts';
import type { ObjectsQuery } from './objects-query.ts';
import type { Row } from './row.ts';

interface FilterBarProps {
  readonly query: ObjectsQuery;
  readonly namespaced: boolean;
  readonly rows: readonly Row[];
  /** Besides name and namespace. */
  readonly fields: readonly string[];
}

/** Chooses which objects are shown. */
export function FilterBar({ query, namespaced, rows, fields }: FilterBarProps) {
  const namespaces = useNamespaces(namespaced);
  const allFields = [...fields, 'metadata.name', ...(namespaced ? ['metadata.namespace'] : [])];
  return (
    <search class="filters">
      {namespaced && (
        <Filter
          name="namespace"
          label="Namespace"
          hint="all"
          value={query.namespace}
          complete={() => namespaces}
        />
      )}
      <Filter
        name="labels"
        label="Labels"
        hint="app=web,tier in (a,b)"
        value={query.labels}
        complete={(text) => labelCompletions(text, rows)}
        isSearch
      />
      <Filter
        name="fields"
        label="Fields"
        hint={fields[0] === undefined ? 'metadata.name=…' : `${fields[0]}=…`}
        value={query.fields}
        complete={(text) => fieldCompletions(text, allFields)}
      />
      <Filter
        name="filter"
        label="CEL filter"
        hint={fields[0] === undefined ? "metadata.name.startsWith('a')" : `${fields[0]} == …`}
        value={query.filter}
        complete={() => allFields}
      />
    </search>
  );
}

interface FilterProps {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly complete: (text: string) => readonly string[];
  readonly isSearch?: boolean;
}

function Filter({ name, label, hint, value, complete, isSearch = false }: FilterProps) {
  const id = useId();
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const options = complete(text);
  return (
    <label class={`filter ${name}`}>
      <span>{label}</span>
      <input
        class="input mono"
        list={id}
        value={text}
        placeholder={hint}
        spellcheck={false}
        autocomplete="off"
        {...(isSearch ? { 'data-shortcut': 'search' } : {})}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          // Emptied by a click on its cross, or chosen from the list.
          if (currentTarget.value === '' || (name === 'namespace' && options.includes(currentTarget.value)))
            setQuery({ [name]: currentTarget.value });
        }}
        onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value.trim() })}
      />
      <datalist id={id}>
        {options.map((option) => (
          <option key={option} value={option} />
        ))}
      </datalist>
    </label>
  );
}

/** Those who may not list namespaces write theirs by hand. */
function useNamespaces(isAsked: boolean): readonly string[] {
  const [names, setNames] = useState<readonly string[]>([]);
  useWhileShown(
    (signal) => {
      if (!isAsked) return;
      const accept = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
      getJson<KubeList<KubeObject>>('/api/v1/namespaces?limit=500', { accept, signal }).then(
        ({ items }) => setNames(items.map(({ metadata }) => metadata.name)),
        () => {},
      );
    },
    [isAsked],
  );
  return names;
}
