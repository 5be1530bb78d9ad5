import { ConditionLine } from '../object/panels.tsx';
import type { DefinitionParts, VersionParts } from './definition-parts.ts';

/** What a definition says besides its schemas. */
export function AboutPanel({ parts }: { readonly parts: DefinitionParts }) {
  return (
    <>
      <section aria-label="Conditions">
        <h2>Conditions</h2>
        {parts.conditions.length === 0 && <p class="muted">It has none yet.</p>}
        {parts.conditions.map((condition) => (
          <ConditionLine key={condition.type} condition={condition} />
        ))}
      </section>
      <dl class="facts">
        <Fact name="Name" text={parts.name} />
        <Fact name="Scope" text={parts.scope} />
        <Fact name="Short names" text={parts.shortNames.join(', ')} />
        <Fact name="Categories" text={parts.categories.join(', ')} />
        <Fact name="Conversion" text={parts.conversion} />
        <Fact name="Stored versions" text={parts.storedVersions.join(', ')} />
      </dl>
      {parts.versions.map((version) => (
        <VersionAbout key={version.name} version={version} />
      ))}
    </>
  );
}

function Fact({ name, text }: { readonly name: string; readonly text: string }) {
  if (text === '') return null;
  return (
    <>
      <dt>{name}</dt>
      <dd dir="auto">{text}</dd>
    </>
  );
}

function VersionAbout({ version }: { readonly version: VersionParts }) {
  const { name, selectableFields, columns, subresources, deprecated, deprecationWarning } = version;
  return (
    <section aria-label={`Version ${name}`}>
      <h2>
        {name} <span class="muted">{versionNotes(version).join(', ')}</span>
      </h2>
      {deprecated && deprecationWarning !== '' && <p dir="auto">{deprecationWarning}</p>}
      <dl class="facts">
        <Fact name="Selectable fields" text={selectableFields.join(', ')} />
        <Fact name="Subresources" text={subresources.join(', ')} />
        <Fact
          name="Columns"
          text={columns.map((column) => `${column.name} (${column.type}) from ${column.jsonPath}`).join('; ')}
        />
      </dl>
    </section>
  );
}

/** What is special about a version. */
export function versionNotes({ served, storage, deprecated }: VersionParts): readonly string[] {
  return [
    ...(storage ? ['stored'] : []),
    ...(served ? [] : ['not served']),
    ...(deprecated ? ['deprecated'] : []),
  ];
}
