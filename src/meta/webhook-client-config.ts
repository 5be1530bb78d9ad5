/** A service of a cluster, as the configuration of a webhook names it. */
export interface ServiceReference {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
  /** With its leading slash; empty where none is given. */
  readonly path: string;
}

/** Where a webhook is and how it proves itself: `clientConfig` of a CRD or of an admission webhook. */
export interface WebhookClientConfig {
  /** `https://host[:port]/path`, or a service; never both. */
  readonly address: { readonly url: string } | { readonly service: ServiceReference };
  /** The certificates that it is trusted by, in PEM; empty where public authorities count. */
  readonly caPem: string;
}
