import { dirname, resolve } from 'node:path';
import { type FeatureGates, ownString, type UserInfo } from '../../meta/index.ts';
import { type LoadedObject, LoadError, loadFile, loadObjects, openSource } from '../../manifests/index.ts';
import type { ApiClient } from '../../client/index.ts';
import { type CheckResult, isCrd, OfflineServer, prepareServer } from '../../offline/index.ts';
import { askCase } from './ask-case.ts';
import { batchSeeds } from './batch-seeds.ts';
import { batchesOf } from './batches.ts';
import type { CaseResult, PolicyTestReport } from './case-result.ts';
import type { PolicyCase } from './policy-case.ts';
import { isCases, readCases } from './read-cases.ts';

interface PolicyTestOptions {
  /** Sources: see `openSource`. */
  readonly paths: readonly string[];
  /** CRDs for all folders. */
  readonly crds: readonly string[];
  /** Policies, bindings and parameters for all folders. */
  readonly policies: readonly string[];
  readonly featureGates: FeatureGates | undefined;
}

/** The cases of one folder, and the other objects in it. */
interface Suite {
  readonly cases: readonly PolicyCase[];
  readonly objects: readonly LoadedObject[];
}

/**
 * Runs the cases in folders of policies, in file order.
 *
 * @throws {LoadError} for invalid cases, and if there are none
 */
export async function runPolicyTests(options: PolicyTestOptions): Promise<PolicyTestReport> {
  const shared: LoadedObject[] = [];
  for (const path of [...options.crds, ...options.policies]) shared.push(...(await loadObjects(path)));
  const results: CaseResult[] = [];
  const troubles: CheckResult[] = [];
  for (const { cases, objects } of await readSuites(options.paths, shared)) {
    const failures = new Map<PolicyCase, string | undefined>();
    for (const batch of batchesOf(cases)) {
      troubles.push(...(await runBatch(batch, objects, { failures, featureGates: options.featureGates })));
    }
    results.push(...cases.map((one) => ({ one, failure: failures.get(one) })));
  }
  return { results, troubles: once(troubles) };
}

/** Each batch runs against the same policies. */
function once(troubles: readonly CheckResult[]): CheckResult[] {
  const byText = new Map(
    troubles.map((one) => [JSON.stringify([one.file, one.line, one.kind, one.name, one.errors]), one]),
  );
  return [...byText.values()];
}

/** A suite for each folder with cases. */
async function readSuites(paths: readonly string[], shared: readonly LoadedObject[]): Promise<Suite[]> {
  const folders = new Map<string, LoadedObject[]>();
  for (const path of paths) {
    for (const source of await openSource(path)) {
      const folder = dirname(source.file);
      folders.set(folder, [...(folders.get(folder) ?? []), ...(await loadFile(source))]);
    }
  }
  const suites: Suite[] = [];
  for (const [folder, loaded] of folders) {
    const documents = loaded.filter(isCases);
    if (documents.length > 0) suites.push(await readSuite(folder, documents, [...shared, ...loaded]));
  }
  if (suites.length > 0) return suites;
  throw new LoadError(`${paths.join(', ')}: no PolicyTest of ilk/v1 in it`);
}

async function readSuite(
  folder: string,
  documents: readonly LoadedObject[],
  loaded: readonly LoadedObject[],
): Promise<Suite> {
  const read = [];
  for (const document of documents) read.push(await readCases(document));
  // Objects of cases are not parameters.
  const files = new Set(read.flatMap((one) => one.files).map((file) => resolve(file)));
  const objects = loaded.filter((one) => !isCases(one) && !files.has(resolve(one.file)));
  if (!objects.some(isPolicy)) throw new LoadError(`${folder}: no admission policy beside the cases`);
  return { cases: read.flatMap(({ cases }) => cases), objects };
}

function isPolicy({ object }: LoadedObject): boolean {
  return /^(?:Validating|Mutating)AdmissionPolicy$/.test(ownString(object, 'kind') ?? '');
}

/** Runs a batch on one server; returns the objects that it refused. */
async function runBatch(
  cases: readonly PolicyCase[],
  objects: readonly LoadedObject[],
  run: {
    readonly failures: Map<PolicyCase, string | undefined>;
    readonly featureGates: FeatureGates | undefined;
  },
): Promise<CheckResult[]> {
  const troubles: CheckResult[] = [];
  await using server = await OfflineServer.start({
    featureGates: run.featureGates,
    user: administrator,
  });
  const crds = objects.filter(isCrd);
  const { installer } = await prepareServer(server, seedOptions, {
    crds,
    ...batchSeeds(
      cases,
      objects.filter((one) => !isCrd(one)),
    ),
    report: (trouble) => troubles.push(trouble),
  });
  for (const crd of crds) {
    const verdict = installer.verdict(crd);
    if (verdict !== undefined && verdict.verdict !== 'valid') troubles.push(verdict);
  }
  const kinds = await server.kinds();
  const clients = new Map<string, ApiClient>();
  for (const one of cases) {
    const user = one.user ?? administrator;
    const key = JSON.stringify(user);
    const client = clients.get(key) ?? server.as(user);
    clients.set(key, client);
    run.failures.set(one, await askCase(client, one, kinds));
  }
  return troubles;
}

const administrator: UserInfo = Object.freeze({
  name: 'admin',
  groups: Object.freeze(['system:masters', 'system:authenticated']),
});

const seedOptions = { strict: false, ignoreMissingSchemas: false, skip: new Set<string>() } as const;
