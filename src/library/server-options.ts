import type { FeatureGateName } from '../meta/index.ts';
import type { CommonOptions, ListenAddress, ServiceAccountOptions } from '../server.ts';
import type { AdmissionFunction } from './admission-functions.ts';
import type { Conversions } from './conversion-endpoint.ts';
import type { Manifest } from './read-manifests.ts';

/** What is installed before a server answers its first request. */
export interface InitialObjects {
  /**
   * CustomResourceDefinitions that are established before the server is there: files, folders, `file:` URLs or objects, those
   * of `@kubernetes/client-node` and of `ilk types` among them. Other kinds in the files are left out.
   */
  readonly crds?: readonly Manifest[];
  /**
   * Objects that are there before the server is, with the status that they have: a client would need a second request
   * for it. CRDs among them are established first; namespaces that are missing are made; what a data folder already
   * has is replaced.
   */
  readonly objects?: readonly Manifest[];
}

/** What a server is started with. Everything may be left out; names and values are checked at run time, too. */
export interface ServerOptions extends Omit<CommonOptions, 'listen'>, InitialObjects {
  /**
   * Plain HTTP on a free port of the loopback interface by default. Of `host`, `port` and `tls`, those that are left out are
   * as they are then. `false` opens no port.
   */
  readonly listen?: Partial<Omit<ListenAddress, 'tlsSettings'>> | false;
  /**
   * What `kubectl get --raw /openapi/v2` prints: files, or documents. The kinds in them that are not served anyway are
   * served as plain objects: see docs/built-in-kinds.md. A CRD of the same group and plural takes the place of one.
   */
  readonly openapi?: readonly Manifest[];
  /** Those that are left out have their defaults: see docs/reference/feature-gates.md. */
  readonly featureGates?: Partial<Readonly<Record<FeatureGateName, boolean>>>;
  /** How tokens of service accounts are made and judged. */
  readonly serviceAccounts?: Omit<ServiceAccountOptions, 'keys'>;
  /**
   * Functions that convert the objects of CRDs, by the names of the CRDs: they run in this process, and the CRDs
   * among `crds` are wired to them, whatever their own `conversion` says. Forks have them, too.
   */
  readonly conversions?: Conversions;
  /** Admission webhooks that are functions in this process. They are asked once all objects are there; forks have them, too. */
  readonly webhooks?: readonly AdmissionFunction[];
}

/** What a fork cannot have otherwise than its parent. */
export type FixedOption =
  | 'storage'
  | 'featureGates'
  | 'openapi'
  | 'serviceClusterIpRange'
  | 'kubernetesService'
  | 'conversions'
  | 'webhooks';

/** What a fork has otherwise than its parent. CRDs and objects come on top of what is there. */
export type ForkOptions = Omit<ServerOptions, FixedOption>;
