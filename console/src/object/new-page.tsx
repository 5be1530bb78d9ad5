import { useMemo, useState } from 'preact/hooks';
import type { Kind } from '../api/kinds.ts';
import { apiVersionOf, collectionPath, parseApiVersion, type ResourceRef } from '../api/paths.ts';
import { objectAddress } from '../app/addresses.ts';
import { PageHead } from '../app/page-head.tsx';
import { goTo, href, place, setQuery } from '../app/router.ts';
import { FormBox } from '../form/form-box.tsx';
import { requiredText } from '../form/skeleton.ts';
import { kinds } from '../kinds/kind-store.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { useSchema } from '../parts/use-schema.ts';
import type { KindSchema } from '../api/kind-schema.ts';
import { EditorBox } from './editor-box.tsx';
import { findingOf, sendText } from './send-object.ts';
import { parseYaml } from './yaml-text.ts';

/** Makes an object of any kind, from a text. */
export function NewPage() {
  const { query } = place.value;
  const asked = query.get('kind') ?? '';
  const namespace = query.get('namespace') ?? '';
  const all = kinds.value;
  const base = useMemo(() => skeleton(all, asked, namespace), [all === undefined, asked, namespace]);
  const [text, setText] = useState<string | undefined>(undefined);
  const [error, setError] = useState<unknown>(undefined);
  const target = useMemo(() => targetOf(text ?? base, all ?? []), [text, base, all]);
  const found = 'ref' in target ? target : undefined;
  const schema = useSchema(found?.ref.group ?? '', found?.ref.version ?? '', found?.kind);
  const start = useMemo(() => withRequired(base, schema), [base, schema]);
  const now = text ?? start;
  const isForm = query.get('view') === 'form';
  // The initial text of the editor.
  const [opened, setOpened] = useState<string | undefined>(undefined);
  const turn = () => {
    setOpened(now);
    setQuery({ view: isForm ? '' : 'form' });
  };
  const create = async () => {
    if (found === undefined) return setError(new Error('refusal' in target ? target.refusal : ''));
    try {
      await sendText({ path: found.path, text: now, mode: 'create', dryRun: false });
      goTo(href(objectAddress(found.ref, found.namespace, found.name)));
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <>
      <PageHead
        title={found === undefined ? 'New object' : `New ${found.kind}`}
        trail={<a href={href('/')}>Kinds</a>}
      >
        <button type="button" class="button" aria-pressed={isForm} onClick={turn}>
          Form
        </button>
        <button type="button" class="button primary" onClick={() => void create()}>
          Create
        </button>
      </PageHead>
      {error !== undefined && <ErrorNotice error={error} />}
      {'refusal' in target && error === undefined && <p class="notice">{target.refusal}</p>}
      {isForm ? (
        <FormBox
          text={now}
          schema={schema}
          namespaced={found !== undefined && found.namespace !== ''}
          tryOut={(tried) => tryOut(tried, all ?? [])}
          onChange={setText}
        />
      ) : (
        <section class="new-object" aria-label="Text">
          <EditorBox
            text={text === undefined ? start : opened}
            label="New object as YAML"
            schema={schema}
            tryOut={(tried) => tryOut(tried, all ?? [])}
            onChange={setText}
            onSend={() => void create()}
          />
        </section>
      )}
    </>
  );
}

async function tryOut(text: string, all: readonly Kind[]) {
  const target = targetOf(text, all);
  return 'ref' in target
    ? findingOf({ path: target.path, text, mode: 'create' })
    : { message: target.refusal, causes: [] };
}

interface Target {
  readonly ref: ResourceRef;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly path: string;
}

/** Where a text belongs. */
function targetOf(text: string, all: readonly Kind[]): Target | { readonly refusal: string } {
  const document = parseYaml(text);
  const textAt = (...path: string[]) => {
    const value: unknown = document.getIn(path);
    return typeof value === 'string' ? value : '';
  };
  const [apiVersion, kind] = [textAt('apiVersion'), textAt('kind')];
  if (apiVersion === '' || kind === '')
    return { refusal: 'Write an object with apiVersion and kind, or paste one.' };
  const { group, version } = parseApiVersion(apiVersion);
  const known = all.find(
    (one) =>
      one.group === group && one.kind === kind && one.versions.some((served) => served.version === version),
  );
  if (known === undefined) return { refusal: `The server has no kind ${kind} in ${apiVersion}.` };
  const namespace = known.namespaced ? textAt('metadata', 'namespace') || 'default' : '';
  const ref = { group, version, plural: known.plural };
  return { ref, kind, namespace, name: textAt('metadata', 'name'), path: collectionPath(ref, namespace) };
}

/** What every object has, to begin with. */
function skeleton(all: readonly Kind[] | undefined, asked: string, namespace: string): string {
  const kind = all?.find(({ plural, group, versions }) =>
    versions.some(({ version }) => asked === `${plural}.${version}.${group}`),
  );
  if (kind === undefined) return 'apiVersion: \nkind: \nmetadata:\n  name: \n';
  const version = asked.split('.')[1] ?? '';
  const place = kind.namespaced ? `  namespace: ${namespace === '' ? 'default' : namespace}\n` : '';
  return `apiVersion: ${apiVersionOf({ group: kind.group, version })}\nkind: ${kind.kind}\nmetadata:\n  name: \n${place}spec:\n  \n`;
}

/** The same, with the fields that the schema asks for. */
function withRequired(base: string, schema: KindSchema | undefined): string {
  const required = schema === undefined ? '' : requiredText(schema);
  return required === '' ? base : base.replace(/^spec:\n {2}\n/m, required);
}
