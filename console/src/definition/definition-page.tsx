import { useMemo } from 'preact/hooks';
import { readGates } from '../api/definition-reports.ts';
import { KindSchema, selectableFields } from '../api/kind-schema.ts';
import type { ResourceRef } from '../api/paths.ts';
import { nothing, objectAddress, objectsAddress } from '../app/addresses.ts';
import { PageHead } from '../app/page-head.tsx';
import type { PageProps } from '../app/pages.ts';
import { href, place, setQuery } from '../app/router.ts';
import { findKind, isBuiltIn, kinds } from '../kinds/kind-store.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Icon } from '../parts/icon.tsx';
import { LiveMark } from '../parts/live-mark.tsx';
import { type Tab, Tabs } from '../parts/tabs.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { useSchemaState } from '../parts/use-schema.ts';
import { useWhileShown } from '../parts/use-while-shown.ts';
import { AboutPanel, versionNotes } from './about-panel.tsx';
import { DefinitionFeed } from './definition-feed.ts';
import type { DefinitionParts } from './definition-parts.ts';
import { ConversionPanel } from './conversion-panel.tsx';
import { DiffPanel } from './diff-panel.tsx';
import { ruleQuery } from '../playground/rule-link.ts';
import { VersionsPanel } from './versions-panel.tsx';
import { GatesPanel } from './gates-panel.tsx';
import { SchemaView } from './schema-view.tsx';

/** What a kind is: its schema, its versions, and what its definition says. */
export function DefinitionPage({ parameters }: PageProps) {
  const { plural = '' } = parameters;
  const group = parameters['group'] === nothing ? '' : (parameters['group'] ?? '');
  const kind = findKind(group, plural);
  // Kinds of the core group never have a definition.
  const isCore = group === '';
  const feed = useMemo(() => new DefinitionFeed(`${plural}.${group}`), [group, plural]);
  useWhileShown((signal) => void (isCore ? undefined : feed.run(signal)), [feed]);
  const parts = feed.parts.value;
  const liveness = feed.liveness.value;
  const isUndefined = isCore || liveness.state === 'refused';
  const isSettled = parts !== undefined || isUndefined;
  const title = parts?.kind ?? kind?.kind ?? plural;
  const asked = place.value.query.get('version') ?? '';
  const names = parts?.versions.map(({ name }) => name) ?? kind?.versions.map(({ version }) => version) ?? [];
  const served = kind?.versions[0].version ?? names[0] ?? '';
  const version = names.includes(asked) ? asked : served;
  return (
    <>
      <PageHead
        title={title}
        trail={
          <>
            <a href={href('/')}>Kinds</a> / {group === '' ? 'core' : group} / definition
          </>
        }
        aside={parts !== undefined && <LiveMark liveness={liveness} />}
      >
        {names.length > 0 && <VersionPicker names={names} version={version} parts={parts} />}
        {kind !== undefined && (
          <>
            <a class="button" href={href(objectsAddress({ group, plural, version: served }))}>
              Objects
            </a>
            <a
              class="button primary"
              href={href('/new', { kind: `${plural}.${version}.${group}`, view: 'form' })}
            >
              <Icon name="plus" /> New {kind.kind}
            </a>
          </>
        )}
      </PageHead>
      {feed.isDeleted.value && <p class="notice warn">This definition is deleted.</p>}
      {parts === undefined && isUndefined && kind !== undefined && !isBuiltIn(kind) && (
        <ErrorNotice
          title="You see what OpenAPI publishes: conditions, gates and versions that are not served are missing"
          error={liveness.state === 'refused' ? liveness.error : undefined}
        />
      )}
      {isSettled && kinds.value !== undefined && names.length === 0 && (
        <EmptyState title={`There is no kind ${plural} in ${group === '' ? 'core' : group}`}>
          <p>
            <a href={href('/')}>All kinds</a>
          </p>
        </EmptyState>
      )}
      {isSettled && version !== '' && (
        <DefinitionTabs
          key={version}
          parts={parts}
          of={{ group, plural, version, kind: kind?.kind ?? parts?.kind ?? '' }}
        />
      )}
    </>
  );
}

interface VersionPickerProps {
  readonly names: readonly string[];
  readonly version: string;
  readonly parts: DefinitionParts | undefined;
}

function VersionPicker({ names, version, parts }: VersionPickerProps) {
  const notesOf = (name: string) => {
    const found = parts?.versions.find((one) => one.name === name);
    const notes = found === undefined ? [] : versionNotes(found);
    return notes.length === 0 ? '' : ` (${notes.join(', ')})`;
  };
  return (
    <label class="pick">
      Version{' '}
      <select
        class="input"
        value={version}
        onChange={({ currentTarget }) => setQuery({ version: currentTarget.value })}
      >
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
            {notesOf(name)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The kind of the page, in the selected version. */
interface KindOfPage extends ResourceRef {
  readonly kind: string;
}

interface DefinitionTabsProps {
  /** Undefined for built-in kinds, and for users who may not read definitions. */
  readonly parts: DefinitionParts | undefined;
  readonly of: KindOfPage;
}

function DefinitionTabs({ parts, of }: DefinitionTabsProps) {
  const tabs: readonly Tab[] = [
    { id: 'schema', label: 'Schema', content: () => <SchemaTab parts={parts} of={of} /> },
    ...(parts === undefined
      ? []
      : [
          { id: 'about', label: 'About', content: () => <AboutPanel parts={parts} /> },
          { id: 'gates', label: 'Gates', content: () => <GatesTab parts={parts} of={of} /> },
          {
            id: 'versions',
            label: 'Versions',
            content: () => <VersionsPanel parts={parts} version={of.version} />,
          },
          {
            id: 'diff',
            label: 'Difference',
            content: () => <DiffPanel name={parts.name} objects={storedRef(parts, of)} />,
          },
          {
            id: 'conversion',
            label: 'Conversion',
            content: () => <ConversionPanel parts={parts} {...of} />,
          },
        ]),
  ];
  return (
    <div class="definition">
      <Tabs
        tabs={tabs}
        label="About the definition"
        start={place.value.query.get('tab') ?? ''}
        onShow={(tab) => setQuery({ tab })}
      />
    </div>
  );
}

/** Where the objects are in the version that is stored; in the one that is shown where that is not served. */
function storedRef(parts: DefinitionParts, { group, plural, version }: KindOfPage): ResourceRef {
  const stored = parts.versions.find(({ storage, served }) => storage && served)?.name;
  return { group, plural, version: stored ?? version };
}

function GatesTab({ parts, of }: { readonly parts: DefinitionParts; readonly of: KindOfPage }) {
  const { version } = of;
  const schema = useMemo(() => schemaOf(parts, version), [parts, version]);
  if (schema === undefined) return null;
  return (
    <GatesPanel
      parts={parts}
      schema={schema}
      objectsOf={(namespace, name) => href(objectAddress(of, namespace, name))}
    />
  );
}

function schemaOf(parts: DefinitionParts | undefined, version: string): KindSchema | undefined {
  const found = parts?.versions.find(({ name }) => name === version);
  return found && new KindSchema({}, found.schema);
}

/** The schema of the definition, or the one that OpenAPI publishes. */
function SchemaTab({ parts, of: { group, plural, version, kind } }: DefinitionTabsProps) {
  const found = parts?.versions.find(({ name }) => name === version);
  const defined = useMemo(() => schemaOf(parts, version), [parts, version]);
  const gates = useAnswer(
    async (signal) => (parts?.hasGates === true ? readGates(parts.name, signal) : []),
    [parts],
  );
  const published = useSchemaState(group, version, found === undefined && kind !== '' ? kind : undefined);
  const schema = defined ?? published.schema;
  if (schema === undefined) {
    if (published.isLoading) return <p class="muted">Loading the schema …</p>;
    if (published.error !== undefined)
      return <ErrorNotice title="The schema cannot be read" error={published.error} />;
    return <p class="muted">The server publishes no schema of this kind: any object is valid.</p>;
  }
  if (schema.root.properties === undefined)
    return <p class="muted">The schema names no fields: any object is valid.</p>;
  return (
    <SchemaView
      schema={schema}
      resource={group === '' ? plural : `${plural}.${group}`}
      gates={gates.value ?? []}
      apiVersion={group === '' ? version : `${group}/${version}`}
      tryRule={
        found === undefined || parts === undefined
          ? undefined
          : (field, rule) => href('/playground', ruleQuery({ definition: parts.name, version, field, rule }))
      }
      selectableFields={found?.selectableFields ?? selectableFields(schema).map((field) => `.${field}`)}
    />
  );
}
