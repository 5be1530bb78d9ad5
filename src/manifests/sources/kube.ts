import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { limits } from '../../meta/index.ts';
import { LoadError } from '../load-error.ts';
import type { SourceKind } from './source.ts';

const pattern = /^kube:\/\/([^/]*)(?:\/(.*))?$/s;
const resourceNames = /^[a-z0-9][a-z0-9.,-]*$/;

/**
 * `kube://CONTEXT/RESOURCES`, objects of a server, in all namespaces: `kube://prod/widgets.example.com,configmaps`.
 * Defaults to the CRDs and to the current context. It runs kubectl, which handles all kinds of kubeconfigs and
 * credentials.
 */
export const kubeSource: SourceKind = {
  matches: (name) => name.startsWith('kube://'),
  open: async (name) => [{ file: name, read: () => get(name) }],
};

async function get(name: string): Promise<Buffer> {
  const [, context = '', asked = ''] = pattern.exec(name) ?? [];
  const resources = asked === '' ? 'customresourcedefinitions.apiextensions.k8s.io' : asked;
  if (!resourceNames.test(resources)) {
    throw new LoadError(`${name}: write kube://CONTEXT/RESOURCES, as in kube://prod/widgets.example.com`);
  }
  const flags = context === '' ? [] : [`--context=${context}`];
  const args = ['get', resources, '--all-namespaces', '--show-managed-fields', '--output=json', ...flags];
  try {
    const options = { encoding: 'buffer', maxBuffer: limits.sourceBytesMax } as const;
    return (await promisify(execFile)('kubectl', args, options)).stdout;
  } catch (error) {
    throw new LoadError(`${name}: ${reason(error)}`);
  }
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'ENOENT') return 'kubectl is not on the PATH';
  const said = 'stderr' in error ? String(error.stderr).trim().replaceAll('\n', ' ') : '';
  return said === '' ? error.message : said;
}
