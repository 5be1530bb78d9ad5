import type { Kind } from '../api/kinds.ts';
import { href } from '../app/router.ts';
import { definitionAddress, objectsAddress } from '../app/addresses.ts';
import type { Count } from './count-store.ts';
import { type DefinedVersion, type Definition, troubleOf } from './definition.ts';
import { definitionFor } from './kind-store.ts';

/** One kind of the list. */
export function KindRow({ kind, count }: { readonly kind: Kind; readonly count: Count | undefined }) {
  const definition = definitionFor(kind);
  const [{ version }] = kind.versions;
  return (
    <tr>
      <th scope="row">
        <a href={href(objectsAddress({ ...kind, version }))}>{kind.kind}</a>
        <span class="muted plural">{kind.plural}</span>
      </th>
      <td class="number">
        <CountCell count={count} />
      </td>
      <td>{kind.namespaced ? 'Namespaced' : 'Cluster'}</td>
      <td>
        <Versions kind={kind} definition={definition} />
      </td>
      <td>
        <State kind={kind} definition={definition} />
      </td>
      <td class="muted">{kind.shortNames.join(', ')}</td>
      <td class="muted">{kind.categories.join(', ')}</td>
    </tr>
  );
}

function CountCell({ count }: { readonly count: Count | undefined }) {
  if (count === undefined) return <span class="muted">…</span>;
  if (count === 'hidden') return <span class="muted">not allowed</span>;
  return <span class={count === 0 ? 'muted' : ''}>{count.toLocaleString('en')}</span>;
}

interface VersionsProps {
  readonly kind: Kind;
  readonly definition: Definition | undefined;
}

function Versions({ kind, definition }: VersionsProps) {
  if (definition === undefined) {
    return kind.versions.map(({ version }) => (
      <span key={version} class="chip">
        {version}
      </span>
    ));
  }
  return definition.versions.map((version) => {
    const notes = notesOf(version, definition);
    return (
      <span key={version.name} class={`chip${version.served ? '' : ' off'}`}>
        {version.name}
        {notes.length > 0 && <small> {notes.join(', ')}</small>}
      </span>
    );
  });
}

function notesOf(
  { name, served, storage, deprecated }: DefinedVersion,
  { storedVersions, versions }: Definition,
): string[] {
  return [
    ...(storage && versions.length > 1 ? ['stored'] : []),
    ...(!storage && storedVersions.includes(name) ? ['may still be stored'] : []),
    ...(deprecated ? ['deprecated'] : []),
    ...(served ? [] : ['not served']),
  ];
}

function State({ kind, definition }: VersionsProps) {
  const { look, words } = stateOf(definition);
  return (
    <a
      class={look}
      href={href(definitionAddress(kind))}
      aria-label={`Definition of ${kind.kind}: ${words}`}
      title={`Definition of ${kind.kind}`}
    >
      {words}
    </a>
  );
}

function stateOf(definition: Definition | undefined): { readonly look: string; readonly words: string } {
  if (definition === undefined) return { look: 'muted', words: 'built in' };
  const trouble = troubleOf(definition);
  if (trouble.length > 0) return { look: 'state bad', words: trouble.join('; ') };
  const isEstablished = definition.conditions.some(
    ({ type, status }) => type === 'Established' && status === 'True',
  );
  return isEstablished
    ? { look: 'state ok', words: 'Established' }
    : { look: 'state wait', words: 'Pending' };
}
