/**
 * Flags of kube-apiserver without effect in Ilk. They are accepted with a warning, so that scripts work. The value
 * follows after `=` or as the next word.
 */
const ignoredFlags: ReadonlySet<string> = new Set([
  'advertise-address',
  'allow-privileged',
  'apiserver-count',
  'authentication-kubeconfig',
  'authentication-skip-lookup',
  'authorization-kubeconfig',
  'cloud-provider',
  'default-watch-cache-size',
  'delete-collection-workers',
  'emulated-version',
  'enable-aggregator-routing',
  'enable-bootstrap-token-auth',
  'endpoint-reconciler-type',
  'event-ttl',
  'goaway-chance',
  'kubelet-client-certificate',
  'kubelet-client-key',
  'kubelet-preferred-address-types',
  'min-request-timeout',
  'profiling',
  'proxy-client-cert-file',
  'proxy-client-key-file',
  'runtime-config',
  'service-account-extend-token-expiration',
  'service-account-lookup',
  'service-node-port-range',
  'storage-backend',
  'storage-media-type',
  'watch-cache',
  'watch-cache-sizes',
]);

/** The arguments without ignored flags and their values, and the removed flags. */
export function takeIgnoredFlags(args: readonly string[]): { kept: string[]; ignored: string[] } {
  const kept: string[] = [];
  const ignored: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    const [, name = '', value] = /^--([a-z0-9-]+)(=.*)?$/s.exec(arg) ?? [];
    if (!ignoredFlags.has(name)) {
      kept.push(arg);
      continue;
    }
    ignored.push(`--${name}`);
    const next = args[index + 1];
    if (value === undefined && next !== undefined && !next.startsWith('-')) index += 1;
  }
  return { kept, ignored };
}
