import type { LoadedObject } from '../manifests/index.ts';
import { defaultFeatureGates, type FeatureGates, type KubeObject, metadataOf } from '../meta/index.ts';
import { type CheckResult, isCrd, OfflineServer, prepareServer } from '../offline/index.ts';
import { readDocument } from './case-documents.ts';
import type { ObjectsCase } from './objects-case.ts';
import type { PlaygroundProblem } from './playground-result.ts';

/** An object that the definition refuses. */
interface RefusedObject extends Pick<CheckResult, 'apiVersion' | 'kind' | 'namespace' | 'name'> {
  readonly errors: readonly { readonly field: string; readonly message: string }[];
}

type ObjectsProblem = PlaygroundProblem<keyof ObjectsCase>;

/** What a definition makes of objects. */
interface ObjectsResult {
  /** Objects that were tried; 0 where `problems` say that the case cannot be used. */
  readonly checked: number;
  readonly refused: readonly RefusedObject[];
  readonly problems: readonly ObjectsProblem[];
}

/** Fields that the cluster set, which a create must not contain. */
const systemFields = ['resourceVersion', 'uid', 'managedFields', 'deletionTimestamp'];

/** Tries to create each object on a server of its own that has the definition, as `ilk diff --objects` does. */
export async function checkObjects(
  { definition, objects }: ObjectsCase,
  gates: FeatureGates = defaultFeatureGates(),
): Promise<ObjectsResult> {
  const problems: ObjectsProblem[] = [];
  const crds = (await readDocument('definition', definition, problems)).filter(isCrd);
  const inputs = (await readDocument('objects', objects, problems)).map(asToBeCreated);
  if (crds.length === 0 && problems.length === 0)
    problems.push({ document: 'definition', line: 1, field: '', message: 'there is no definition in it' });
  if (problems.length > 0) return { checked: 0, refused: [], problems };
  await using server = await OfflineServer.start({ featureGates: gates });
  const { installer, check } = await prepareServer(
    server,
    { strict: false, ignoreMissingSchemas: false, skip: new Set() },
    { crds, old: [], policies: [], inputs, report: () => {} },
  );
  for (const crd of crds) {
    for (const { line, field, message } of installer.verdict(crd)?.errors ?? [])
      problems.push({ document: 'definition', line, field, message });
  }
  if (problems.length > 0) return { checked: 0, refused: [], problems };
  const refused: RefusedObject[] = [];
  for (const input of inputs) {
    const result = await check.check(input);
    if (result.errors.length > 0) refused.push(shown(result));
  }
  return { checked: inputs.length, refused, problems };
}

function asToBeCreated(loaded: LoadedObject): LoadedObject {
  const metadata: KubeObject = { ...metadataOf(loaded.object) };
  for (const field of systemFields) delete metadata[field];
  return { ...loaded, object: { ...loaded.object, metadata } };
}

function shown({ apiVersion, kind, namespace, name, errors }: CheckResult): RefusedObject {
  return {
    apiVersion,
    kind,
    namespace,
    name,
    errors: errors.map(({ field, message }) => ({ field, message })),
  };
}
