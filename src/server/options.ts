import type { AdmissionConfiguration } from '../admission/index.ts';
import type { Authenticator, Authorizer, CertificateRevocations } from '../auth/index.ts';
import type { Auditor } from '../audit/index.ts';
import type { ExpressionObserver } from '../cel/index.ts';
import type { ElectionTiming, Stage } from '../controllers/index.ts';
import type { LoginProvider } from '../console/index.ts';
import type {
  AdmissionLog,
  MetricSource,
  RequestFilter,
  RequestLog,
  SlowRequests,
  WatchLimits,
} from '../http/index.ts';
import type {
  Clock,
  FeatureGates,
  JsonObject,
  KubeObject,
  SelectorOptions,
  Slices,
  Timers,
} from '../meta/index.ts';
import type { StorageOptions } from '../storage/index.ts';
import type { EncryptionRules } from '../encryption/index.ts';
import type { WebhookFilter } from '../webhook/index.ts';
import type { AuthorizationMode } from './access-control.ts';
import type { ServiceAccountOptions } from './service-accounts.ts';
import type { ServerThreads } from './threads/server-threads.ts';
import type { ListenAddress } from './listener.ts';

/** Options of the library that also exist as flags. Each has the meaning of the flag of its name. */
export interface CommonOptions {
  /** Memory by default: nothing is written to disk. */
  readonly storage?: StorageOptions;
  /** Plain HTTP on a free port of the loopback interface by default; `false` opens no port. */
  readonly listen?: ListenAddress | false;
  /** The IPv4 range of service addresses; defaults to `10.96.0.0/12`. */
  readonly serviceClusterIpRange?: string;
  /** Creates the Service `default/kubernetes`, which leads to this server, as in a cluster. */
  readonly kubernetesService?: boolean;
  /** Selector features beyond Kubernetes; all are on by default. */
  readonly selectors?: Partial<SelectorOptions>;
  /** Additional admission plugins, by name: see docs/admission.md. */
  readonly enableAdmissionPlugins?: readonly string[];
  /** Admission plugins to switch off, by name. */
  readonly disableAdmissionPlugins?: readonly string[];
  /** Controllers to switch off, by name: `garbage-collector`, for suites that assert that dependents stay. */
  readonly disableControllers?: readonly string[];
  /**
   * Simulates the rest of a cluster: nodes become ready, pods are bound and run, workloads reach their status. Off by
   * default: see docs/simulate.md.
   */
  readonly simulate?: boolean | { readonly stages: readonly Stage[] };
  /**
   * Signs approved CertificateSigningRequests of Kubernetes' own signers, with the authority of client certificates where the port
   * speaks TLS. Off by default: see docs/controllers.md.
   */
  readonly signCertificates?: boolean;
  /**
   * Computes the status of PodDisruptionBudgets, by which evictions go. Off by default, as tests write it themselves: see
   * docs/controllers.md.
   */
  readonly disruptionBudgets?: boolean;
  /**
   * The addresses of the services through which webhooks are reached, because there is no cluster:
   * `{ 'default/converter:443': 'https://127.0.0.1:9443' }`.
   */
  readonly services?: Readonly<Record<string, string>>;
  readonly anonymousAuth?: boolean;
  /**
   * Serves the web console at `/console/`: see docs/console.md. Off by default, then its code is not loaded; `ilk
   * serve` switches it on.
   */
  readonly console?: boolean;
  /**
   * The authorizers, in order; RBAC by default. An authorizer object may be in the list. The group system:masters may
   * do everything in any case.
   */
  readonly authorizationModes?: readonly (AuthorizationMode | Authorizer)[];
  /** The authorizer to use instead of the modes. */
  readonly authorizer?: Authorizer;
  readonly clock?: Clock;
  /** The timers of watches, bookmarks and compaction; the system's by default. */
  readonly timers?: Timers;
  /**
   * API Priority and Fairness: FlowSchemas classify requests, which wait in fair queues of their priority levels; the
   * mandatory objects are maintained. Off by default, because a test has one client; `ilk serve` switches it on.
   */
  readonly priorityAndFairness?: boolean;
  /** Read requests in flight, 400 by default; with {@link priorityAndFairness}, both numbers together are its seats. */
  readonly maxRequestsInFlight?: number;
  /** Write requests in flight, 200 by default. */
  readonly maxMutatingRequestsInFlight?: number;
  /**
   * The timeout of requests other than watches, which are then answered with 504; clients may set a shorter one by
   * `?timeout=`. Unlimited by default; `ilk serve` uses upstream's minute.
   * it takes where it is left out; `ilk serve` has upstream's minute.
   */
  readonly requestTimeoutMs?: number;
  /** The compaction interval, 5 minutes by default, as upstream; 0 leaves compaction to others. */
  readonly compactionIntervalMs?: number;
  /** The leader election of servers that share an etcd, for controllers; client-go's values by default. */
  readonly leaderElection?: Partial<ElectionTiming>;
  /** Called with requests that take longer than this many milliseconds, except watches. */
  readonly slowRequests?: SlowRequests;
  /** Called with internal errors. */
  readonly onTrouble?: (error: unknown) => void;
}

/** Replaces the authorizers. @throws {Error} if RBAC is among them and was not at the start */
export type ReplaceModes = (modes: readonly (AuthorizationMode | Authorizer)[]) => void;

/** The options of a server: the common ones, and parts made of files and flags. */
export interface ServerOptions extends CommonOptions {
  /** The rules of `--encryption-provider-config`: which objects are encrypted, and how; none by default. */
  readonly encryption?: EncryptionRules;
  /** CRDs that are established before the server starts. */
  readonly crds?: readonly KubeObject[];
  /**
   * Objects that exist before the server starts, including their status: a client would need a second request for
   * that. CRDs among them are established first, missing namespaces are created, and objects in an existing data
   * folder are replaced. For tests that start from a given state.
   */
  readonly objects?: readonly KubeObject[];
  /**
   * OpenAPI documents, as `kubectl get --raw /openapi/v2` prints them, decoded. Their kinds that are not served
   * otherwise are served as plain objects: see docs/built-in-kinds.md. A CRD of the same group and plural replaces
   * one.
   */
  readonly openapi?: readonly JsonObject[];
  readonly featureGates?: FeatureGates;
  /** The contents of `--admission-control-config-file`. */
  readonly admissionConfiguration?: AdmissionConfiguration;
  /**
   * Called at the start with a function that replaces {@link authorizationModes} at run time, for example after a
   * file change.
   */
  readonly onAuthorizationModes?: (replace: ReplaceModes) => void;
  /** Additional metrics. */
  readonly metrics?: readonly MetricSource[];
  /** Authenticators after client certificates. */
  readonly authenticators?: readonly Authenticator[];
  /** Authenticators before client certificates: for authenticating proxies. */
  readonly frontProxies?: readonly Authenticator[];
  /** The last authenticators: OpenID Connect issuers, webhooks. */
  readonly remoteAuthenticators?: readonly Authenticator[];
  /**
   * Tells which client certificates identify users, by the fingerprints of their chains; by default all that the port
   * accepts.
   */
  readonly isUserChain?: (chain: readonly string[]) => boolean;
  /** The only paths that anonymous requests may use, if {@link anonymousAuth} allows them. */
  readonly anonymousPaths?: readonly string[];
  /** Revoked client certificates. */
  readonly revocations?: CertificateRevocations;
  /** How service account tokens are signed and verified. */
  readonly serviceAccounts?: ServiceAccountOptions;
  /** Called with each request after its answer. */
  readonly requestLog?: RequestLog;
  /** An issuer where users sign in to the console. */
  readonly consoleLogin?: LoginProvider | undefined;
  /** Called with the decision of each admission plugin, webhook and policy about each write. */
  readonly admissionLog?: AdmissionLog;
  /** Writes the audit log; closed with the server. */
  readonly auditor?: Auditor;
  /** Filters between authorization and the handler, in this order. */
  readonly filters?: readonly RequestFilter[];
  /** Filters of calls to webhooks, in this order. */
  readonly webhookFilters?: readonly WebhookFilter[];
  /** Called with each evaluation of an expression of a rule or a policy. */
  readonly expressionObserver?: ExpressionObserver;
  /** Overrides `watchesMax` and `watchesPerUserMax` of `limits`. */
  readonly watchLimits?: Partial<WatchLimits>;
  /** How long work runs before it yields to other requests; 20 ms of real time by default. */
  readonly slices?: Slices;
  /** The threads that serve together with this one; by default there are none. */
  readonly threads?: ServerThreads;
}
