import { Faults } from '../faults/index.ts';
import type { RequestFilter } from '../http/index.ts';
import type { WebhookFilter } from '../webhook/index.ts';
import { nameOf, ownString } from '../meta/index.ts';
import {
  type ForkOptions,
  type IlkServer,
  type ServerOptions,
  type ServerSnapshot,
  startServer as startIlk,
} from '../server.ts';
import type { LoadedDocument } from '../manifests/index.ts';
import { type AdmissionFunction, AdmissionFunctions } from './admission-functions.ts';
import { ConversionEndpoint, type Conversions } from './conversion-endpoint.ts';
import { FakeClock } from './fake-clock.ts';
import { type Manifest, type ReadObject, readManifests, withFile } from './read-manifests.ts';
import { readOpenApiDocuments, withDocumentFile } from './read-openapi-documents.ts';

/** What a test wants to find. */
export interface Given {
  /** CustomResourceDefinitions that are established before the server is there; other kinds in the files are left out. */
  readonly crds?: readonly Manifest[];
  /** Objects with the status that they have, after the CRDs. */
  readonly objects?: readonly Manifest[];
}

/** As {@link ServerOptions}, with objects and OpenAPI documents from files. A {@link FakeClock} as `clock` is asked for the timers too. */
export type TestServerOptions = Omit<ServerOptions, keyof Given | 'openapi'> &
  Given & {
    /** What `kubectl get --raw /openapi/v2` prints: files, or documents. The other kinds in it are served, too. */
    readonly openapi?: readonly Manifest[];
    /**
     * Functions that convert the objects of CRDs, by the names of the CRDs: they run in this process, and the CRDs
     * among `crds` are wired to them, whatever their own `conversion` says. Forks have them, too.
     */
    readonly conversions?: Conversions;
    /** Admission webhooks that are functions in this process. They are asked once all objects are there; forks have them, too. */
    readonly webhooks?: readonly AdmissionFunction[];
  };

export type TestForkOptions = Omit<ForkOptions, keyof Given> & Given;

/** A server in a test's own process. */
export interface TestServer extends IlkServer {
  /** Things that go wrong on demand with what comes over the wire, or through `fetch`. */
  readonly faults: Faults;
  /** As {@link IlkServer.fork}; a fork begins without faults. */
  fork(options?: TestForkOptions): Promise<TestServer>;
  snapshot(): Promise<TestSnapshot>;
}

export interface TestSnapshot extends ServerSnapshot {
  fork(options?: TestForkOptions): Promise<TestServer>;
}

/**
 * Starts a server for tests: in memory, plain HTTP on a free port, everything established before it is there. What goes
 * wrong inside is written to the console, unless `onTrouble` is given.
 *
 * ```ts
 * await using server = await startServer({ crds: ['config/crd'], objects: ['test/fixtures'] });
 * ```
 *
 * @throws {LoadError} for a file that is no manifest, or holds an object that is refused
 * @throws {StatusError} for another object that is refused
 */
export async function startServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { filters = [], webhookFilters = [] } = options;
  const admission = new AdmissionFunctions(options.webhooks ?? []);
  const kept = { filters, webhookFilters, admission, conversions: await openConversions(options) };
  const made = await read({ onTrouble: tellConsole, ...options }, kept);
  return started(startIlk(made.parts), { ...made, ...kept });
}

/** @throws {Error} for a function whose CRD is not among those that are given */
async function openConversions({
  conversions,
  crds = [],
}: TestServerOptions): Promise<ConversionEndpoint | undefined> {
  if (conversions === undefined) return undefined;
  const given = new Set((await readManifests(crds)).filter(isCrd).map(({ object }) => nameOf(object)));
  const missing = Object.keys(conversions).find((name) => !given.has(name));
  if (missing !== undefined) throw new Error(`conversions: there is no CRD "${missing}" among crds`);
  return ConversionEndpoint.start(conversions);
}

function tellConsole(error: unknown): void {
  console.error('ilk:', error);
}

interface Read {
  readonly given: readonly ReadObject[];
  readonly documents: readonly LoadedDocument[];
  readonly faults: Faults;
  readonly parts: ServerOptions;
}

/** What forks take over as it is, the caller's own. */
interface Kept {
  readonly filters: readonly RequestFilter[];
  readonly webhookFilters: readonly WebhookFilter[];
  readonly conversions: ConversionEndpoint | undefined;
  readonly admission: AdmissionFunctions;
}

/** Options as the server takes them. */
async function read(
  options: TestServerOptions,
  { filters, webhookFilters, conversions, admission }: Kept,
): Promise<Read> {
  const crds = (await readManifests(options.crds ?? [])).filter(isCrd);
  const objects = await readManifests(options.objects ?? []);
  const documents = await readOpenApiDocuments(options.openapi ?? []);
  const faults = new Faults();
  await conversions?.acquire();
  const { conversions: _, webhooks = [], clock, ...rest } = options;
  const configurations = webhooks.length === 0 ? [] : admission.configurations;
  const parts = {
    ...rest,
    ...(clock && { clock }),
    crds: crds.map(({ object }) => conversions?.wired(object) ?? object),
    objects: [...objects.map(({ object }) => object), ...configurations],
    openapi: documents.map(({ document }) => document),
    filters: [...filters, faults.filter],
    webhookFilters: [...webhookFilters, faults.webhooks, admission.filter],
    ...(clock instanceof FakeClock && options.timers === undefined && { timers: clock }),
  };
  return { given: [...crds, ...objects], documents, faults, parts };
}

function isCrd({ object }: ReadObject): boolean {
  return ownString(object, 'kind') === 'CustomResourceDefinition';
}

/** What a server is made of besides the one underneath. */
interface Around extends Kept {
  readonly faults: Faults;
  readonly given: readonly ReadObject[];
  readonly documents: readonly LoadedDocument[];
}

async function started(starting: Promise<IlkServer>, around: Around): Promise<TestServer> {
  try {
    return new FaultyServer(await starting, around);
  } catch (error) {
    await around.conversions?.release();
    throw withDocumentFile(withFile(error, around.given), around.documents);
  }
}

/** The server underneath, with faults, which go before it does: what they hold up is let go. */
class FaultyServer implements TestServer {
  readonly faults: Faults;
  readonly #server: IlkServer;
  readonly #kept: Kept;
  #closing: Promise<void> | undefined;

  constructor(server: IlkServer, { faults, filters, webhookFilters, conversions, admission }: Around) {
    this.#server = server;
    this.faults = faults;
    this.#kept = { filters, webhookFilters, conversions, admission };
  }

  get url(): string {
    return this.#server.url;
  }

  get kubeconfig(): string {
    return this.#server.kubeconfig;
  }

  get kubeconfigPath(): string {
    return this.#server.kubeconfigPath;
  }

  get caPem(): string | undefined {
    return this.#server.caPem;
  }

  get fetch(): IlkServer['fetch'] {
    return this.#server.fetch;
  }

  as(user: { readonly name: string; readonly groups?: readonly string[] } | { readonly token: string }) {
    return this.#server.as(user);
  }

  addUser(...user: Parameters<IlkServer['addUser']>): ReturnType<IlkServer['addUser']> {
    return this.#server.addUser(...user);
  }

  async snapshot(): Promise<TestSnapshot> {
    const snapshot = await this.#server.snapshot();
    return { fork: (options = {}) => this.#forkOf(snapshot, options) };
  }

  async fork(options: TestForkOptions = {}): Promise<TestServer> {
    return this.#forkOf(await this.#server.snapshot(), options);
  }

  async #forkOf(snapshot: ServerSnapshot, options: TestForkOptions): Promise<TestServer> {
    const { filters, webhookFilters, conversions, admission } = this.#kept;
    const kept = {
      filters: options.filters ?? filters,
      webhookFilters: options.webhookFilters ?? webhookFilters,
      conversions,
      admission,
    };
    const made = await read(options, kept);
    const { openapi: _, ...parts } = made.parts;
    return started(snapshot.fork(parts), { ...made, ...kept });
  }

  close(): Promise<void> {
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  async #closeAll(): Promise<void> {
    this.faults.clear();
    await this.#server.close();
    await this.#kept.conversions?.release();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
