import { type Answer, type ApiClient, pathOf, type ServedKind } from '../client/index.ts';
import type { LoadedObject } from '../manifests/index.ts';
import {
  defaultFeatureGates,
  type FeatureGates,
  type KubeObject,
  limits,
  metadataOf,
  metadataString,
  nameOf,
  namespaceOf,
  ownString,
  type Status,
} from '../meta/index.ts';
import { type CheckResult, fieldSteps, OfflineServer, prepareServer } from '../offline/index.ts';
import { objectCostLimit } from '../schema/index.ts';
import { type CaseDocuments, readDocuments } from './case-documents.ts';
import { EvaluationLog } from './evaluation-log.ts';
import type { DocumentName, PlaygroundCase } from './playground-case.ts';
import type { PlaygroundProblem, PlaygroundResult } from './playground-result.ts';
import { policySites } from './policy-sites.ts';
import { estimateOf, ruleSites } from './rule-sites.ts';

/**
 * The server's result for a case: a temporary in-memory server gets the definitions, the old object and the policies,
 * and receives the write as a dry run, as in `ilk test`.
 */
export async function runCase(
  one: PlaygroundCase,
  gates: FeatureGates = defaultFeatureGates(),
): Promise<PlaygroundResult> {
  const documents = await readDocuments(one);
  if (!('crds' in documents)) return unusable(one, documents);
  const log = new EvaluationLog();
  const { problems, answer } = await ask(one, documents, { gates, log });
  const policyExpressions = policySites(documents.policies);
  const policyCount = new Set(policyExpressions.map(({ loaded }) => loaded)).size;
  const sites = [...ruleSites(documents.crds, gates), ...policyExpressions];
  const estimate = estimateOf(documents.crds, gates);
  return {
    outcome: answer === undefined ? 'unusable' : answer.refusal === undefined ? 'accepted' : 'refused',
    operation: operationOf(one),
    ...(answer?.object && { object: answer.object }),
    ...(answer?.refusal && { status: answer.refusal }),
    warnings: answer?.warnings ?? [],
    problems: [...problems, ...(answer?.refusal === undefined ? [] : causesOf(answer.refusal, documents))],
    expressions: log.expressions(sites),
    costs: {
      ...(estimate && { estimate }),
      runtime: { cost: log.cost, limit: objectCostLimit + policyCount * limits.policyCostMax },
    },
  };
}

function unusable(one: PlaygroundCase, problems: readonly PlaygroundProblem[]): PlaygroundResult {
  return {
    outcome: 'unusable',
    operation: operationOf(one),
    warnings: [],
    problems,
    expressions: [],
    costs: { runtime: { cost: 0, limit: objectCostLimit } },
  };
}

function operationOf({ object, oldObject }: PlaygroundCase): PlaygroundResult['operation'] {
  if (oldObject.trim() === '') return 'CREATE';
  return object.trim() === '' ? 'DELETE' : 'UPDATE';
}

async function ask(
  { user, namespaceLabels }: PlaygroundCase,
  { crds, policies, object, oldObject }: CaseDocuments,
  { gates, log }: { readonly gates: FeatureGates; readonly log: EvaluationLog },
): Promise<{ readonly problems: readonly PlaygroundProblem[]; readonly answer: Answer | undefined }> {
  const problems: PlaygroundProblem[] = [];
  const expressionObserver = log.observe;
  await using server = await OfflineServer.start({
    featureGates: gates,
    user: administrator,
    expressionObserver,
  });
  const subject = object ?? oldObject;
  const report = (trouble: CheckResult) => problems.push(...problemsOf(trouble));
  const { installer } = await prepareServer(
    server,
    { strict: true, ignoreMissingSchemas: false, skip: new Set() },
    {
      crds,
      old: oldObject === undefined ? [] : [oldObject],
      policies: [...policies, ...namespaceFor(subject, namespaceLabels)],
      inputs: subject === undefined ? [] : [subject],
      report,
    },
  );
  for (const crd of crds) {
    const verdict = installer.verdict(crd);
    if (verdict !== undefined) problems.push(...problemsOf(verdict).map((one) => inVersion(one, crd)));
  }
  if (subject === undefined || problems.length > 0) return { problems, answer: undefined };
  const kind = kindAmong(await server.kinds(), subject.object);
  if (kind === undefined) return { problems: [unknownKind(subject)], answer: undefined };
  const answer = await log.during(() => write(server.as(user), kind, { object, oldObject }));
  return { problems, answer };
}

const administrator = Object.freeze({
  name: 'admin',
  groups: Object.freeze(['system:masters', 'system:authenticated']),
});

/** The object's namespace, if its labels matter. */
function namespaceFor(
  subject: LoadedObject | undefined,
  labels: PlaygroundCase['namespaceLabels'],
): readonly LoadedObject[] {
  if (subject === undefined || labels === undefined) return [];
  const name = namespaceOf(subject.object) || 'default';
  const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: { ...labels } } };
  return [{ ...subject, object, lineAt: () => subject.line }];
}

function problemsOf({ file, errors }: CheckResult): PlaygroundProblem[] {
  // Texts are parsed under their document names.
  return errors.map(({ line, field, message }) => ({ document: file as DocumentName, line, field, message }));
}

/** If all versions have the same schema, the server's message names none of them. */
function inVersion(problem: PlaygroundProblem, crd: LoadedObject): PlaygroundProblem {
  const shared = 'spec.validation.openAPIV3Schema';
  if (!problem.field.startsWith(shared)) return problem;
  const field = `spec.versions[0].schema.openAPIV3Schema${problem.field.slice(shared.length)}`;
  return { ...problem, field, line: crd.lineAt(fieldSteps(field)) };
}

function kindAmong(kinds: readonly ServedKind[], object: KubeObject): ServedKind | undefined {
  const [apiVersion, kind] = [ownString(object, 'apiVersion'), ownString(object, 'kind')];
  return kinds.find((one) => one.apiVersion === apiVersion && one.kind === kind);
}

function unknownKind({ file, line, object }: LoadedObject): PlaygroundProblem {
  const [apiVersion, kind] = [ownString(object, 'apiVersion') ?? '', ownString(object, 'kind') ?? ''];
  const message =
    kind === '' || apiVersion === ''
      ? 'apiVersion and kind must be set'
      : `no matches for kind "${kind}" in version "${apiVersion}"`;
  return { document: file as DocumentName, line, field: '', message };
}

const query = 'dryRun=All&fieldValidation=Strict';

/** The write as a dry run. */
async function write(
  client: ApiClient,
  kind: ServedKind,
  { object, oldObject }: Pick<CaseDocuments, 'object' | 'oldObject'>,
): Promise<Answer> {
  const wanted = object?.object ?? {};
  if (oldObject === undefined)
    return client.call('POST', `${pathOf(kind, namespaceOf(wanted))}?${query}`, wanted);
  const path = pathOf(kind, namespaceOf(oldObject.object), nameOf(oldObject.object) || '%00');
  if (object === undefined) return client.call('DELETE', `${path}?dryRun=All`);
  const { object: present = {} } = await client.call('GET', path);
  const { uid: _, ...metadata } = metadataOf(wanted);
  const resourceVersion = metadataString(present, 'resourceVersion');
  return client.call('PUT', `${path}?${query}`, { ...wanted, metadata: { ...metadata, resourceVersion } });
}

/** The fields that a refusal names, with their positions in the object. */
function causesOf({ details }: Status, { object, oldObject }: CaseDocuments): PlaygroundProblem[] {
  const subject = object ?? oldObject;
  if (subject === undefined) return [];
  return (details?.causes ?? []).flatMap(({ field = '', message = '' }) =>
    field === ''
      ? []
      : [
          {
            document: subject.file as DocumentName,
            line: subject.lineAt(fieldSteps(field)),
            field,
            message: `${field}: ${message}`,
          },
        ],
  );
}
