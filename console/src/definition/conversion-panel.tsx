import { useState } from 'preact/hooks';
import type { KubeList, KubeObject } from '../api/kube-object.ts';
import { collectionPath, objectPath } from '../api/paths.ts';
import { getJson, send } from '../api/request.ts';
import { Difference } from '../object/editor-box.tsx';
import { editableText } from '../object/yaml-text.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import type { DefinitionParts } from './definition-parts.ts';
import { VersionChoice } from './versions-panel.tsx';

/** So many objects are offered; any other one has a page of its own, in each version. */
const objectsMax = 200;

interface ConversionPanelProps {
  readonly parts: DefinitionParts;
  readonly group: string;
  readonly plural: string;
  readonly version: string;
}

/** One real object, read in two versions. */
export function ConversionPanel({ parts, group, plural, version }: ConversionPanelProps) {
  const served = parts.versions.filter((one) => one.served).map(({ name }) => name);
  const stored = parts.versions.find(({ storage }) => storage)?.name ?? version;
  const [from, setFrom] = useState(served.includes(stored) ? stored : (served[0] ?? ''));
  const [to, setTo] = useState(served.find((name) => name !== from) ?? '');
  const [chosen, setChosen] = useState('');
  const objects = useAnswer(
    (signal) =>
      getJson<KubeList<KubeObject>>(
        `${collectionPath({ group, version: from, plural })}?limit=${objectsMax}`,
        { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io', signal },
      ),
    [group, plural, from],
  );
  if (served.length < 2) return <p class="muted">One version is served: there is nothing to convert to.</p>;
  if (objects.error !== undefined)
    return <ErrorNotice title="The objects cannot be listed" error={objects.error} />;
  const items = objects.value?.items ?? [];
  if (!objects.isLoading && items.length === 0)
    return <p class="muted">There is no object yet to try it on. Create one first.</p>;
  const places = items.map(({ metadata: { namespace = '', name } }) => `${namespace}/${name}`);
  const place = places.includes(chosen) ? chosen : (places[0] ?? '');
  return (
    <>
      <p class="muted">
        {parts.conversion === 'Webhook'
          ? 'A webhook converts between versions: it is asked now.'
          : 'Versions differ by their schemas only: fields that a version does not know are left out.'}
      </p>
      <div class="gate-head">
        <label class="pick">
          Object{' '}
          <select
            class="input"
            value={place}
            onChange={({ currentTarget }) => setChosen(currentTarget.value)}
          >
            {places.map((one) => (
              <option key={one} value={one}>
                {one.replace(/^\//, '')}
              </option>
            ))}
          </select>
        </label>
        <VersionChoice label="From" names={served} value={from} onChange={setFrom} />
        <VersionChoice label="To" names={served} value={to} onChange={setTo} />
      </div>
      {place !== '' && <Converted key={place} place={place} of={{ group, plural }} from={from} to={to} />}
    </>
  );
}

interface ConvertedProps {
  /** `namespace/name` */
  readonly place: string;
  readonly of: { readonly group: string; readonly plural: string };
  readonly from: string;
  readonly to: string;
}

function Converted({ place, of, from, to }: ConvertedProps) {
  const [namespace = '', name = ''] = place.split('/');
  const read = (version: string) => (signal: AbortSignal) =>
    readText(objectPath({ ...of, version }, namespace, name), signal);
  const before = useAnswer(read(from), [place, from]);
  const after = useAnswer(read(to), [place, to]);
  const error = before.error ?? after.error;
  if (error !== undefined)
    return <ErrorNotice title="The object cannot be read in both versions" error={error} />;
  if (before.value === undefined || after.value === undefined) return <p class="muted">Converting …</p>;
  return <Difference before={before.value} after={after.value} />;
}

async function readText(path: string, signal: AbortSignal): Promise<string> {
  const response = await send(path, { signal, accept: 'application/yaml' });
  return editableText(await response.text(), { hasStatus: false });
}
