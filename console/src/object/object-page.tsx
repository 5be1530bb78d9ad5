import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { objectPath, type ResourceRef } from '../api/paths.ts';
import { nothing, objectsAddress, refOf } from '../app/addresses.ts';
import { PageHead } from '../app/page-head.tsx';
import type { PageProps } from '../app/pages.ts';
import { href } from '../app/router.ts';
import { findKind } from '../kinds/kind-store.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Icon } from '../parts/icon.tsx';
import { LiveMark } from '../parts/live-mark.tsx';
import { type Tab, Tabs } from '../parts/tabs.tsx';
import { useSchema } from '../parts/use-schema.ts';
import { useWhileShown } from '../parts/use-while-shown.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { EditorBox } from './editor-box.tsx';
import { ObjectFeed, type SeenVersion } from './object-feed.ts';
import { HistoryPanel, OwnersPanel, StatusPanel } from './panels.tsx';
import { RelatedPanel } from './related-panel.tsx';
import { SendDialog } from './send-dialog.tsx';
import { findingOf } from './send-object.ts';
import { TimelinePanel } from './timeline-panel.tsx';
import { editableText } from './yaml-text.ts';

/** One object: its text to edit, and around it what is known of it. */
export function ObjectPage({ parameters }: PageProps) {
  const ref = refOf(parameters);
  const { name = '' } = parameters;
  const namespace = parameters['namespace'] === nothing ? '' : (parameters['namespace'] ?? '');
  const feed = useMemo(
    () => new ObjectFeed(ref, namespace, name),
    [ref.group, ref.version, ref.plural, namespace, name],
  );
  useWhileShown((signal) => void feed.run(signal), [feed]);
  const versions = feed.versions.value;
  const liveness = feed.liveness.value;
  const latest = versions.at(-1);
  const kind = findKind(ref.group, ref.plural);
  return (
    <>
      {latest === undefined || latest.isDeleted ? (
        <PageHead
          title={name}
          trail={<Trail parameters={parameters} namespace={namespace} kind={kind?.kind ?? ref.plural} />}
          aside={<LiveMark liveness={liveness} />}
        />
      ) : (
        <LiveObject
          key={`${latest.object.metadata.uid}`}
          versions={versions}
          latest={latest}
          path={objectPath(ref, namespace, name)}
          hasStatus={
            kind?.versions.some(
              ({ version, subresources }) => version === ref.version && subresources.includes('status'),
            ) ?? false
          }
          schemaOf={{ ...ref, kind: kind?.kind }}
          trail={<Trail parameters={parameters} namespace={namespace} kind={kind?.kind ?? ref.plural} />}
          mark={<LiveMark liveness={liveness} />}
        />
      )}
      {latest?.isDeleted === true && (
        <EmptyState title={`${name} is deleted`}>
          <p>
            <a href={href(objectsAddress(ref))}>All objects of this kind</a>
          </p>
        </EmptyState>
      )}
      {liveness.state === 'refused' && (
        <ErrorNotice
          title={latest === undefined ? 'This object cannot be shown' : 'Changes are not shown'}
          error={liveness.error}
        />
      )}
    </>
  );
}

interface TrailProps extends PageProps {
  readonly namespace: string;
  readonly kind: string;
}

function Trail({ parameters, namespace, kind }: TrailProps) {
  const ref = refOf(parameters);
  return (
    <>
      <a href={href('/')}>Kinds</a> / <a href={href(objectsAddress(ref))}>{kind}</a>
      {namespace !== '' && (
        <>
          {' / '}
          <a href={href(objectsAddress(ref), { namespace })}>{namespace}</a>
        </>
      )}
    </>
  );
}

interface LiveObjectProps {
  readonly versions: readonly SeenVersion[];
  readonly latest: SeenVersion;
  readonly path: string;
  readonly hasStatus: boolean;
  readonly schemaOf: ResourceRef & { readonly kind: string | undefined };
  readonly trail: ComponentChildren;
  readonly mark: ComponentChildren;
}

function objectTabs({ object }: SeenVersion, versions: readonly SeenVersion[]): readonly Tab[] {
  return [
    { id: 'status', label: 'Status', content: () => <StatusPanel object={object} /> },
    { id: 'owners', label: 'Field owners', content: () => <OwnersPanel object={object} /> },
    { id: 'timeline', label: 'Time line', content: () => <TimelinePanel object={object} /> },
    { id: 'related', label: 'Related', content: () => <RelatedPanel object={object} /> },
    {
      id: 'history',
      label: `History${versions.length > 1 ? ` ${versions.length - 1}` : ''}`,
      content: () => <HistoryPanel versions={versions} />,
    },
  ];
}

interface ObjectActionsProps {
  readonly isEdited: boolean;
  /** The link to the playground with this object. */
  readonly playground: string;
  readonly onUndo: () => void;
  readonly onDialog: (dialog: 'send' | 'delete') => void;
}

function ObjectActions({ isEdited, playground, onUndo, onDialog }: ObjectActionsProps) {
  return (
    <>
      {isEdited && (
        <button type="button" class="button" onClick={onUndo}>
          Undo all
        </button>
      )}
      <a class="button" href={playground}>
        <Icon name="play" /> Playground
      </a>
      <button type="button" class="button danger" onClick={() => onDialog('delete')}>
        <Icon name="trash" /> Delete
      </button>
      <button type="button" class="button primary" disabled={!isEdited} onClick={() => onDialog('send')}>
        Review changes
      </button>
    </>
  );
}

function OutdatedNotice() {
  return (
    <p class="notice warn" role="status">
      The object has changed since you began to edit: an update will be refused, an apply may meet conflicts.
      The review shows the difference to the object as it is now.
    </p>
  );
}

function Warnings({ texts }: { readonly texts: readonly string[] }) {
  return texts.map((text) => (
    <p key={text} class="notice warn">
      {text}
    </p>
  ));
}

function LiveObject({ versions, latest, path, hasStatus, schemaOf, trail, mark }: LiveObjectProps) {
  const { object } = latest;
  const schema = useSchema(schemaOf.group, schemaOf.version, schemaOf.kind);
  const current = useMemo(() => editableText(latest.text, { hasStatus }), [latest, hasStatus]);
  // The edit starts from this version of the object; until the user types, the text follows the object.
  const [edited, setEdited] = useState<{ readonly base: string; readonly text: string } | undefined>(
    undefined,
  );
  const [dialog, setDialog] = useState<'send' | 'delete' | undefined>(undefined);
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  const isEdited = edited !== undefined && edited.text !== edited.base;
  const text = isEdited ? edited.text : current;
  const isOutdated = isEdited && edited.base !== current;
  const { group, version, plural } = schemaOf;
  const { name, namespace = '' } = object.metadata;
  const tried = { group, version, plural, namespace, name };
  return (
    <>
      <PageHead title={object.metadata.name} trail={trail} aside={mark}>
        <ObjectActions
          isEdited={isEdited}
          playground={href('/playground', tried)}
          onUndo={() => setEdited(undefined)}
          onDialog={setDialog}
        />
      </PageHead>
      {isOutdated && <OutdatedNotice />}
      <Warnings texts={warnings} />
      <div class="object-panes">
        <section aria-label="Text">
          <EditorBox
            text={isEdited ? undefined : current}
            label="Object as YAML"
            schema={schema}
            tryOut={(tried) =>
              tried === current
                ? Promise.resolve(undefined)
                : findingOf({ path, text: tried, mode: 'update' })
            }
            onChange={(typed) =>
              setEdited((before) => ({
                base: before !== undefined && before.text !== before.base ? before.base : current,
                text: typed,
              }))
            }
            onSend={() => setDialog('send')}
          />
        </section>
        <Tabs tabs={objectTabs(latest, versions)} label="About the object" />
      </div>
      {dialog === 'send' && (
        <SendDialog
          path={path}
          before={current}
          after={text}
          onSent={(said) => {
            setWarnings(said);
            setEdited(undefined);
            setDialog(undefined);
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog === 'delete' && (
        <DeleteDialog object={object} path={path} onClose={() => setDialog(undefined)} />
      )}
    </>
  );
}
