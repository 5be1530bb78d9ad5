import {
  clone,
  isObject,
  type JsonObject,
  type KubeObject,
  metadataOf,
  metadataString,
  nameOf,
  own,
  ownList,
  ownObject,
  ownString,
} from '../meta/index.ts';
import type { LoadedObject } from '../manifests/index.ts';
import type { CheckResult } from './check-result.ts';
import { failed, verdictOf } from './make-result.ts';
import type { Answer } from '../client/index.ts';
import { crdPath, type OfflineServer } from './offline-server.ts';

/** The inputs of {@link CrdInstaller}. */
interface CrdInstallerOptions {
  /** Objects of the current state, including CRDs. */
  readonly old: readonly LoadedObject[];
  readonly strict: boolean;
}

const updateAttemptsMax = 10;

export function isCrd({ object }: LoadedObject): boolean {
  return ownString(object, 'kind') === 'CustomResourceDefinition';
}

/**
 * Installs the CRDs of a run. If there are old objects, a CRD is first installed in its old form: from the old state,
 * or with a schema that allows everything. So old objects that today's schema would refuse can exist, and their
 * updates show the effect of ratcheting.
 */
export class CrdInstaller {
  readonly #server: OfflineServer;
  readonly #options: CrdInstallerOptions;
  readonly #verdicts = new Map<LoadedObject, CheckResult>();
  readonly #installed = new Map<string, LoadedObject>();
  readonly #replaced: LoadedObject[] = [];

  constructor(server: OfflineServer, options: CrdInstallerOptions) {
    this.#server = server;
    this.#options = options;
  }

  /** The server's response to a CRD; undefined for other objects. */
  verdict(loaded: LoadedObject): CheckResult | undefined {
    return this.#verdicts.get(loaded);
  }

  /** Installs CRDs in the form for the old state. */
  async install(crds: readonly LoadedObject[]): Promise<void> {
    for (const crd of crds) this.#verdicts.set(crd, await this.#installOne(crd));
    for (const [name, crd] of this.#installed) {
      const trouble = await this.#server.established(name);
      if (trouble !== undefined) this.#verdicts.set(crd, failed(crd, 'invalid', trouble));
    }
  }

  /** Updates the CRDs that were installed in an older form to their own. */
  async replace(): Promise<void> {
    for (const crd of this.#replaced) {
      const answer = await this.#update(crd, withoutConversion(crd.object), '');
      if (answer.refusal !== undefined) this.#verdicts.set(crd, verdictOf(crd, answer, this.#options));
    }
  }

  async #installOne(crd: LoadedObject): Promise<CheckResult> {
    const name = nameOf(crd.object);
    const first = this.#installed.get(name);
    if (first !== undefined) {
      return failed(crd, 'error', `is defined already in ${first.file}:${first.line}`);
    }
    const former = this.#options.old.find((one) => isCrd(one) && nameOf(one.object) === name);
    return former === undefined ? this.#installNew(crd) : this.#installOver(crd, former);
  }

  async #installNew(crd: LoadedObject): Promise<CheckResult> {
    const answer = await this.#post(crd.object, '&dryRun=All');
    const checked = verdictOf(crd, answer, this.#options);
    if (checked.verdict !== 'valid') return checked;
    const lax = this.#options.old.some(({ object }) => isOfKind(object, crd.object));
    await this.#put(crd, lax ? takesEverything(crd.object) : crd.object, lax);
    return checked;
  }

  async #installOver(crd: LoadedObject, former: LoadedObject): Promise<CheckResult> {
    const refusal = await this.#put(crd, former.object, true);
    if (refusal !== undefined) return verdictOf(former, refusal, this.#options);
    return verdictOf(crd, await this.#update(crd, crd.object, '&dryRun=All'), this.#options);
  }

  /** Installs one form of a CRD; returns the response if it is refused. */
  async #put(crd: LoadedObject, form: KubeObject, replaced: boolean): Promise<Answer | undefined> {
    const answer = await this.#post(withoutConversion(form), '');
    if (answer.refusal !== undefined) return answer;
    this.#installed.set(nameOf(crd.object), crd);
    if (replaced) this.#replaced.push(crd);
    return undefined;
  }

  /** The status of a CRD from `kubectl get` is another server's. */
  #post(crd: KubeObject, query: string): Promise<Answer> {
    const { resourceVersion: _, uid: __, ...metadata } = metadataOf(crd);
    return this.#server.call('POST', `${crdPath}?${this.#validation}${query}`, { ...crd, metadata });
  }

  /** Retried after conflicts with controllers, which write the CRD's conditions. */
  async #update(crd: LoadedObject, form: KubeObject, query: string): Promise<Answer> {
    const path = `${crdPath}/${encodeURIComponent(nameOf(crd.object))}`;
    for (let attempt = 1; ; attempt += 1) {
      const { object: present = {} } = await this.#server.call('GET', path);
      const resourceVersion = metadataString(present, 'resourceVersion');
      const body = { ...form, metadata: { ...metadataOf(form), resourceVersion } };
      const answer = await this.#server.call('PUT', `${path}?${this.#validation}${query}`, body);
      if (answer.refusal?.reason !== 'Conflict' || attempt === updateAttemptsMax) return answer;
    }
  }

  get #validation(): string {
    return `fieldValidation=${this.#options.strict ? 'Strict' : 'Warn'}`;
  }
}

function specOf(crd: KubeObject): JsonObject {
  return ownObject(crd, 'spec') ?? {};
}

/** True if an object is of a CRD's kind, in any version. */
function isOfKind(object: KubeObject, crd: KubeObject): boolean {
  const names = ownObject(specOf(crd), 'names') ?? {};
  const [group] = (ownString(object, 'apiVersion') ?? '').split('/');
  return group === own(specOf(crd), 'group') && own(object, 'kind') === own(names, 'kind');
}

/** Webhooks are not called offline: objects are checked in their own version. */
function withoutConversion(crd: KubeObject): KubeObject {
  return { ...crd, spec: { ...specOf(crd), conversion: { strategy: 'None' } } };
}

const anything: JsonObject = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

function takesEverything(crd: KubeObject): KubeObject {
  const versions = (ownList(specOf(crd), 'versions') ?? []).filter(isObject).map((version) => {
    const { selectableFields: _, ...rest } = clone(version);
    return { ...rest, schema: { openAPIV3Schema: anything } };
  });
  return { ...crd, spec: { ...specOf(crd), versions } };
}
