/** A service of a cluster, in a webhook configuration. */
export interface ServiceReference {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
  /** With its leading slash; empty if not set. */
  readonly path: string;
}

/** The address of a webhook and its trusted certificates: `clientConfig` of a CRD or of an admission webhook. */
export interface WebhookClientConfig {
  /** `https://host[:port]/path`, or a service; never both. */
  readonly address: { readonly url: string } | { readonly service: ServiceReference };
  /** The CA certificates, in PEM; empty means the system's roots. */
  readonly caPem: string;
}
