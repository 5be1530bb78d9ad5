import type { AdmissionConfiguration } from '../admission/index.ts';
import type { Authenticator, Authorizer, CertificateRevocations } from '../auth/index.ts';
import type { Auditor } from '../audit/index.ts';
import type { ElectionTiming } from '../controllers/index.ts';
import type { AdmissionLog, MetricSource, RequestFilter, RequestLog, SlowRequests } from '../http/index.ts';
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
import type { ListenAddress } from './listener.ts';

/** What users of the library and the command line both choose. Each has the meaning of the flag of its name. */
export interface CommonOptions {
  /** Memory by default: nothing is left behind. */
  readonly storage?: StorageOptions;
  /** Plain HTTP on a free port of the loopback interface by default; `false` opens no port. */
  readonly listen?: ListenAddress | false;
  /** The range that services get their addresses from, IPv4; `10.96.0.0/12` where it is left out. */
  readonly serviceClusterIpRange?: string;
  /** Makes the Service `default/kubernetes`, which leads to this server, as a cluster has it. */
  readonly kubernetesService?: boolean;
  /** What selectors can do beyond Kubernetes; all of it by default. */
  readonly selectors?: Partial<SelectorOptions>;
  /** Admission plugins by name, besides those that are on by default: see docs/admission.md. */
  readonly enableAdmissionPlugins?: readonly string[];
  /** Admission plugins that stay off, by name. */
  readonly disableAdmissionPlugins?: readonly string[];
  /** Controllers that stay off, by name: `garbage-collector`, for suites that assert that owners leave children. */
  readonly disableControllers?: readonly string[];
  /**
   * Plays the rest of a cluster: nodes become ready, pods are bound and run, workloads reach their status. Off by default: see
   * docs/simulate.md.
   */
  readonly simulate?: boolean;
  /**
   * Signs approved CertificateSigningRequests of Kubernetes' own signers, with the authority of client certificates where the port
   * speaks TLS. Off by default: see docs/controllers.md.
   */
  readonly signCertificates?: boolean;
  /**
   * Where the services listen that webhooks are reached through, as there is no cluster to ask:
   * `{ 'default/converter:443': 'https://127.0.0.1:9443' }`.
   */
  readonly services?: Readonly<Record<string, string>>;
  readonly anonymousAuth?: boolean;
  /** Serves the web console at `/console/`: see docs/console.md. Off by default, and nothing of it is loaded; `ilk serve` switches it on. */
  readonly console?: boolean;
  /**
   * Who says who may do what, in this order; RBAC by default; another authorizer
   * may stand among them. The group system:masters may do everything in any case.
   */
  readonly authorizationModes?: readonly (AuthorizationMode | Authorizer)[];
  /** Says who may do what in place of the modes. */
  readonly authorizer?: Authorizer;
  readonly clock?: Clock;
  /** What ends watches, sends bookmarks and forgets the past; the machine's where it is left out. */
  readonly timers?: Timers;
  /**
   * API Priority and Fairness: requests are classified by FlowSchemas, and wait in fair queues of their priority levels; the
   * objects that every cluster has are kept. Off by default, as a test has one client; `ilk serve` switches it on.
   */
  readonly priorityAndFairness?: boolean;
  /** Requests that read and run at once, 400 by default; with {@link priorityAndFairness} both numbers are its seats. */
  readonly maxRequestsInFlight?: number;
  /** Requests that write and run at once, 200 by default. */
  readonly maxMutatingRequestsInFlight?: number;
  /**
   * How long a request may take that is no watch, before it is answered with 504; clients may ask for less by `?timeout=`. As long as
   * it takes where it is left out; `ilk serve` has upstream's minute.
   */
  readonly requestTimeoutMs?: number;
  /** How often the past is forgotten, upstream's 5 minutes by default; 0 leaves that to others. */
  readonly compactionIntervalMs?: number;
  /** How servers that share an etcd agree on who of them runs the controllers; client-go's defaults. */
  readonly leaderElection?: Partial<ElectionTiming>;
  /** Told of requests that take longer than so many milliseconds; watches take as long as they take. */
  readonly slowRequests?: SlowRequests;
  /** Told of what goes wrong inside. */
  readonly onTrouble?: (error: unknown) => void;
}

/** Puts other authorizers in force. @throws {Error} where RBAC is among them and was not at the start */
export type ReplaceModes = (modes: readonly (AuthorizationMode | Authorizer)[]) => void;

/** What a server is composed of: common options, and parts that are made of files and flags. */
export interface ServerOptions extends CommonOptions {
  /** What `--encryption-provider-config` says: which objects are stored encrypted, and how; none where it is left out. */
  readonly encryption?: EncryptionRules;
  /** CRDs that are established before the server is there. */
  readonly crds?: readonly KubeObject[];
  /**
   * Objects that are there before the server is, with the status that they have: a client would need a second request
   * for it. CRDs among them are established first; namespaces that are missing are made; what a data folder already
   * has is replaced. For tests that start in the middle of a story.
   */
  readonly objects?: readonly KubeObject[];
  /**
   * Documents as `kubectl get --raw /openapi/v2` prints them, decoded. The kinds in them that are not served anyway are
   * served as plain objects: see docs/built-in-kinds.md. A CRD of the same group and plural takes the place of one.
   */
  readonly openapi?: readonly JsonObject[];
  readonly featureGates?: FeatureGates;
  /** What `--admission-control-config-file` says. */
  readonly admissionConfiguration?: AdmissionConfiguration;
  /** Called at the start with what replaces {@link authorizationModes} while the server runs, as where a file has changed. */
  readonly onAuthorizationModes?: (replace: ReplaceModes) => void;
  /** Told to scrapers besides the metrics of the server itself. */
  readonly metrics?: readonly MetricSource[];
  /** Authenticators that are asked after client certificates. */
  readonly authenticators?: readonly Authenticator[];
  /** Asked before client certificates: for proxies in front, which say whom they let in. */
  readonly frontProxies?: readonly Authenticator[];
  /** Asked last: issuers of OpenID Connect, webhooks. */
  readonly remoteAuthenticators?: readonly Authenticator[];
  /** Which client certificates are of users, by the fingerprints of their chains; all that the port believes by default. */
  readonly isUserChain?: (chain: readonly string[]) => boolean;
  /** The only paths that requests without credentials may ask for, where {@link anonymousAuth} lets them in. */
  readonly anonymousPaths?: readonly string[];
  /** Client certificates that count no longer. */
  readonly revocations?: CertificateRevocations;
  /** How tokens of service accounts are made and judged. */
  readonly serviceAccounts?: ServiceAccountOptions;
  /** Told of each request, once it was answered. */
  readonly requestLog?: RequestLog;
  /** Told of what each admission plugin, webhook and policy said of each write. */
  readonly admissionLog?: AdmissionLog;
  /** Writes down what users do; closed with the server. */
  readonly auditor?: Auditor;
  /** Stand between authorization and the work, in this order. */
  readonly filters?: readonly RequestFilter[];
  /** Stand between the server and the webhooks that it calls, in this order. */
  readonly webhookFilters?: readonly WebhookFilter[];
  /** How long work gives way to other requests; 20 ms of the machine's time where it is left out. */
  readonly slices?: Slices;
}
