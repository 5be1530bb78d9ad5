import { setTimeout as sleep } from 'node:timers/promises';
import {
  type FeatureGates,
  isObject,
  type KubeObject,
  namespaceOf,
  own,
  ownList,
  ownObject,
  ownString,
  type UserInfo,
} from '../meta/index.ts';
import type { ExpressionObserver } from '../cel/index.ts';
import { type Target, Warnings } from '../registry/index.ts';
import { type ServerInside, startServerInside } from '../server.ts';
import { type Answer, ApiClient, type ServedKind } from '../client/index.ts';
import { isPlainBody } from './plain-body.ts';

export const crdPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const establishedMsMax = 30_000;
const askEstablishedEveryMs = 2;

interface OfflineOptions {
  readonly featureGates?: FeatureGates | undefined;
  /** The user, who may do everything; an administrator if omitted. */
  readonly user?: UserInfo | undefined;
  /** Called with the evaluated expressions of rules and policies. */
  readonly expressionObserver?: ExpressionObserver;
}

/**
 * A server without a port, in memory, and without the parts of a running cluster: namespaces need not exist, and
 * garbage collection is off. Its responses about objects are those of `ilk serve`.
 */
export class OfflineServer extends ApiClient implements AsyncDisposable {
  readonly #inside: ServerInside;
  readonly #targets = new Map<ServedKind, Target>();
  readonly #stop = new AbortController();

  readonly #user: UserInfo;

  private constructor(inside: ServerInside, user: UserInfo | undefined) {
    super(user === undefined ? inside.server.fetch : inside.server.as(user).fetch);
    this.#inside = inside;
    this.#user = user ?? inside.user;
  }

  static async start({ featureGates, user, ...rest }: OfflineOptions): Promise<OfflineServer> {
    const inside = await startServerInside({
      listen: false,
      // Namespaces and classes need not exist.
      disableAdmissionPlugins: ['NamespaceLifecycle', 'Priority', 'RuntimeClass'],
      disableControllers: ['garbage-collector', 'namespace'],
      ...(featureGates === undefined ? {} : { featureGates }),
      ...(user === undefined ? {} : { authorizationModes: ['AlwaysAllow'] }),
      ...rest,
    });
    return new OfflineServer(inside, user);
  }

  /** The same server with another user. */
  as(user: UserInfo): ApiClient {
    return new ApiClient(this.#inside.server.as(user).fetch);
  }

  /**
   * Checks an object without a request, with the code that handles requests; most objects pass. Undefined if there is
   * anything to report: then send a request. Only for kinds that no longer change.
   */
  async createSilently(kind: ServedKind, object: KubeObject, strict: boolean): Promise<Answer | undefined> {
    if (!isPlainBody(object)) return undefined;
    const target = await this.#targetOf(kind, object);
    if (target === undefined || target.version.deprecationWarning !== undefined) return undefined;
    const warnings = new Warnings();
    const { registry } = this.#inside;
    const user = this.#user;
    try {
      const created = await registry.create({
        target,
        body: { value: object },
        options: { dryRun: true, fieldManager: '', fieldValidation: strict ? 'Strict' : 'Warn' },
        context: { user, fieldManager: '', signal: this.#stop.signal, warnings },
        ownersUnread: true,
      });
      if (warnings.list().length > 0) return undefined;
      return { object: created.object(), refusal: undefined, warnings: [] };
    } catch {
      // A request encounters the same error and reports it.
      return undefined;
    }
  }

  /** The location of a kind; cached after the first lookup. */
  async #targetOf(kind: ServedKind, object: KubeObject): Promise<Target | undefined> {
    const known = this.#targets.get(kind);
    const namespace = kind.namespaced ? namespaceOf(object) || 'default' : '';
    if (known !== undefined) return { ...known, namespace };
    const [version = '', group = ''] = kind.apiVersion.split('/').reverse();
    const found = await this.#inside.registry.findLatest({ group, version, resource: kind.resource });
    if (found === undefined) return undefined;
    const target = { ...found, namespace };
    this.#targets.set(kind, target);
    return target;
  }

  /** Waits until a CRD is served. Returns the reason if it never will be. */
  async established(name: string): Promise<string | undefined> {
    const path = `${crdPath}/${encodeURIComponent(name)}`;
    for (let waitedMs = 0; waitedMs < establishedMsMax; waitedMs += askEstablishedEveryMs) {
      const { object = {} } = await this.call('GET', path);
      if (condition(object, 'Established')?.status === 'True') return undefined;
      const names = condition(object, 'NamesAccepted');
      if (names?.status === 'False') return names.message;
      await sleep(askEstablishedEveryMs);
    }
    return `the CustomResourceDefinition was not established within ${establishedMsMax / 1000} s`;
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    return this.#inside.server.close();
  }
}

function condition(crd: KubeObject, type: string): { status: string; message: string } | undefined {
  const conditions = ownList(ownObject(crd, 'status') ?? {}, 'conditions') ?? [];
  const found = conditions.filter(isObject).find((one) => own(one, 'type') === type);
  return found && { status: ownString(found, 'status') ?? '', message: ownString(found, 'message') ?? '' };
}
