/** How a client proves who it is. */
export type KubeconfigUser =
  | { readonly certPem: string; readonly keyPem: string }
  | { readonly token: string };

/** What a kubeconfig says of one server and one user. */
interface KubeconfigParts {
  readonly server: string;
  /** Undefined for a server that speaks plain HTTP. */
  readonly caPem: string | undefined;
  readonly user: KubeconfigUser;
  /** Where commands work that name no namespace; `default` where it is left out. */
  readonly namespace?: string;
}

/** A kubeconfig with one cluster, one user and one context, all of them `ilk`; everything is embedded. */
export function kubeconfigText({ server, caPem, user, namespace }: KubeconfigParts): string {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  // Plain HTTP has no authority; @kubernetes/client-node speaks it only where it is told not to look for one.
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
