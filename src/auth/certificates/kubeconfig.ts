/** A client's credentials. */
export type KubeconfigUser =
  | { readonly certPem: string; readonly keyPem: string }
  | { readonly token: string };

/** A kubeconfig for one server and one user. */
interface KubeconfigParts {
  readonly server: string;
  /** Undefined for a plain HTTP server. */
  readonly caPem: string | undefined;
  readonly user: KubeconfigUser;
  /** The namespace of commands that name none; `default` if omitted. */
  readonly namespace?: string;
}

/** A kubeconfig with one cluster, one user and one context, all named `ilk`, with embedded data. */
export function kubeconfigText({ server, caPem, user, namespace }: KubeconfigParts): string {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  // Plain HTTP has no CA; @kubernetes/client-node accepts it only with TLS verification off.
  const authority =
    caPem === undefined
      ? ['    insecure-skip-tls-verify: true']
      : [`    certificate-authority-data: ${base64(caPem)}`];
  const credentials =
    'token' in user
      ? [`    token: ${user.token}`]
      : [
          `    client-certificate-data: ${base64(user.certPem)}`,
          `    client-key-data: ${base64(user.keyPem)}`,
        ];
  const lines = [
    'apiVersion: v1',
    'kind: Config',
    'clusters:',
    '- name: ilk',
    '  cluster:',
    ...authority,
    `    server: ${server}`,
    'users:',
    '- name: ilk',
    '  user:',
    ...credentials,
    'contexts:',
    '- name: ilk',
    '  context:',
    '    cluster: ilk',
    '    user: ilk',
    ...(namespace === undefined ? [] : [`    namespace: ${namespace}`]),
    'current-context: ilk',
  ];
  return `${lines.join('\n')}\n`;
}
