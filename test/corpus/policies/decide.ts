import { dirname, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadObjects } from '../../../src/manifests/index.ts';
import type { JsonObject, JsonValue } from '../../../src/meta/index.ts';
import type { Send } from '../../differential/play.ts';
import { namespaces, samples, type Subject, subjectOf } from './samples.ts';

/** What a server makes of a policy. */
export interface Decision {
  /** Of the policy: its folder in the corpus, and its name. */
  readonly policy: string;
  readonly code: number;
  /** Why the policy was refused. */
  readonly message?: string;
  /** The subjects that it says something about: why they are refused, or what it changes, with its warnings. */
  readonly says: Readonly<Record<string, readonly string[]>>;
}

const root = '/apis/admissionregistration.k8s.io/v1';
const resources: ReadonlyMap<unknown, string> = new Map([
  ['ValidatingAdmissionPolicy', `${root}/validatingadmissionpolicies`],
  ['MutatingAdmissionPolicy', `${root}/mutatingadmissionpolicies`],
]);
const bindings: ReadonlyMap<unknown, string> = new Map([
  ['ValidatingAdmissionPolicyBinding', `${root}/validatingadmissionpolicybindings`],
  ['MutatingAdmissionPolicyBinding', `${root}/mutatingadmissionpolicybindings`],
]);

const triesMax = 50;

interface Place {
  readonly path: string;
  readonly object: JsonObject;
}

interface Group {
  readonly name: string;
  readonly policies: readonly JsonObject[];
  readonly objects: readonly JsonObject[];
  /** What expressions may read besides the subjects: it must be there before the policy is. */
  readonly parameters: readonly Subject[];
  readonly subjects: readonly Subject[];
}

/** The policies of a corpus, with the objects in the folder of each. */
export async function policyGroups(corpus: string): Promise<readonly Group[]> {
  const folders = new Map<string, JsonObject[]>();
  for (const { file, object } of await loadObjects(corpus)) {
    const folder = relative(corpus, dirname(file));
    folders.set(folder, [...(folders.get(folder) ?? []), object]);
  }
  const groups = [...folders].map(([name, objects]) => {
    const policies = objects.filter(({ kind, spec }) => resources.has(kind) && spec !== undefined);
    const given = objects.flatMap((object) => subjectOf(object, './') ?? []);
    const isCrd = ({ object }: Subject) => object['kind'] === 'CustomResourceDefinition';
    const parameters = given
      .filter(isParameter)
      .sort((one, other) => Number(isCrd(other)) - Number(isCrd(one)));
    const subjects = given.filter((one) => !isParameter(one) && one.object['kind'] !== 'Namespace');
    return { name, policies, objects, parameters, subjects };
  });
  return groups
    .filter(({ policies }) => policies.length > 0)
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** Asks a server what it makes of each policy, one after the other. */
export class PolicyJudge {
  readonly #send: Send;
  readonly #settle: () => Promise<void>;

  /** @param settle waits until what was written counts */
  constructor(send: Send, settle: () => Promise<void>) {
    this.#send = send;
    this.#settle = settle;
  }

  /** What it makes of each policy of a corpus. */
  async *decisions(groups: readonly Group[]): AsyncGenerator<Decision> {
    for (const object of namespaces) await this.#write('POST', '/api/v1/namespaces', object);
    const before = new Map<Subject, Answered>();
    for (const subject of [samples, ...groups.map(({ subjects }) => subjects)].flat()) {
      before.set(subject, await this.#ask(subject));
    }
    for (const group of groups) {
      const made = await this.#makeAll(group.parameters);
      for (const policy of group.policies) yield await this.#judge(group, policy, before);
      for (const { path } of made.reverse()) await this.#write('DELETE', path);
    }
  }

  async #judge(group: Group, policy: JsonObject, before: ReadonlyMap<Subject, Answered>): Promise<Decision> {
    const named = `${group.name} ${nameOf(policy)}`;
    const path = resources.get(policy['kind']) ?? '';
    const created = await this.#write('POST', path, current(policy));
    if (created.code !== 201) {
      return { policy: named, code: created.code, message: String(created.body['message']), says: {} };
    }
    const bound = await this.#makeAll(bindingsFor(policy, group.objects));
    // By then the policy before this one is forgotten, too.
    await this.#settle();
    const says: Record<string, string[]> = {};
    for (const subject of [...samples, ...group.subjects]) {
      const said = difference(before.get(subject), await this.#ask(subject));
      if (said.length > 0) says[subject.key] = said;
    }
    for (const one of [...bound, { path: `${path}/${nameOf(policy)}` }])
      await this.#write('DELETE', one.path);
    return { policy: named, code: created.code, says };
  }

  async #makeAll(places: readonly Place[]): Promise<Place[]> {
    const made: Place[] = [];
    for (const { path, object } of places) {
      const code = await this.#make(path, object);
      if (code === 201) made.push({ path: `${path}/${nameOf(object)}`, object });
    }
    return made;
  }

  /** A CRD is served a moment after it was made. */
  async #make(path: string, object: JsonObject): Promise<number> {
    for (let tries = 0; ; tries += 1) {
      const { code } = await this.#write('POST', path, object);
      if (code !== 404 || tries >= triesMax) return code;
      await sleep(100);
    }
  }

  async #ask({ path, object }: Subject): Promise<Answered> {
    const answer = await this.#write('POST', `${path}?dryRun=All`, object);
    return { ...answer, leaves: leavesOf(answer.body) };
  }

  async #write(method: string, path: string, object?: JsonObject) {
    const body = object === undefined ? {} : { body: JSON.stringify(object) };
    const { code, text, warnings } = await this.#send({ what: '', method, path, ...body });
    return {
      code,
      warnings,
      body: (text.startsWith('{') ? JSON.parse(text) : { message: text }) as JsonObject,
    };
  }
}

interface Answered {
  readonly code: number;
  readonly warnings: readonly string[];
  readonly body: JsonObject;
  readonly leaves: ReadonlyMap<string, string>;
}

function isParameter({ object: { kind } }: Subject): boolean {
  return ['ConfigMap', 'ReplicaLimit', 'CustomResourceDefinition'].includes(String(kind));
}

function nameOf(object: JsonObject): string {
  return String((object['metadata'] as JsonObject)['name']);
}

/** Older versions of the kinds have the same fields. */
function current(object: JsonObject): JsonObject {
  const metadata = { ...(object['metadata'] as JsonObject) };
  // Owners are of the cluster that the policy was written for.
  delete metadata['ownerReferences'];
  return { ...object, apiVersion: 'admissionregistration.k8s.io/v1', metadata };
}

/** The bindings of the folder, or one that denies. */
function bindingsFor(policy: JsonObject, objects: readonly JsonObject[]): Place[] {
  const name = nameOf(policy);
  const found = objects.filter(
    ({ kind, spec }) => bindings.has(kind) && (spec as JsonObject | undefined)?.['policyName'] === name,
  );
  const kind = `${String(policy['kind'])}Binding`;
  const isValidating = kind.startsWith('Validating');
  const spec = { policyName: name, ...(isValidating ? { validationActions: ['Deny'] } : {}) };
  const all = found.length > 0 ? found : [{ kind, metadata: { name }, spec }];
  return all.map((object) => ({ path: bindings.get(object['kind']) ?? '', object: current(object) }));
}

const ofServer = ['uid', 'creationTimestamp', 'managedFields', 'resourceVersion', 'generation'];

/** The values of an object by their paths. */
function leavesOf(body: JsonObject): ReadonlyMap<string, string> {
  const leaves = new Map<string, string>();
  const visit = (value: JsonValue | undefined, path: string): void => {
    if (typeof value !== 'object' || value === null) leaves.set(path, JSON.stringify(value));
    else for (const [key, item] of Object.entries(value)) visit(item as JsonValue, `${path}.${key}`);
  };
  const metadata = { ...((body['metadata'] ?? {}) as JsonObject) };
  for (const field of ofServer) delete metadata[field];
  visit(metadata, 'metadata');
  for (const field of ['spec', 'data']) if (body[field] !== undefined) visit(body[field], field);
  return leaves;
}

function difference(before: Answered | undefined, after: Answered): string[] {
  if (before === undefined) return [];
  const warnings = after.warnings.filter((warning) => !before.warnings.includes(warning));
  if (after.code !== before.code) return [`${after.code} ${String(after.body['message'])}`, ...warnings];
  if (after.code >= 400) return warnings;
  const paths = [...new Set([...before.leaves.keys(), ...after.leaves.keys()])].sort();
  const changes = paths
    .filter((path) => before.leaves.get(path) !== after.leaves.get(path))
    // Which every try makes anew.
    .filter((path) => !/clusterIPs?|nodePort|controller-uid/.test(path))
    .map(
      (path) => `${path}: ${before.leaves.get(path) ?? 'nothing'} -> ${after.leaves.get(path) ?? 'nothing'}`,
    );
  return [...changes, ...warnings];
}
