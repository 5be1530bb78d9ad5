import type { KubeObject } from '../meta/index.ts';
import type { AdmissionPlugin } from './chain.ts';
import { namespaceLifecycle } from './plugins/namespace-lifecycle.ts';

/** What plugins look at besides the write. */
export interface PluginParts {
  /** The namespace as of a revision at least; undefined: the latest. It is shared. */
  readonly findNamespace: (name: string, minRevision: number | undefined) => Promise<KubeObject | undefined>;
}

/** Every plugin, in upstream's recommended order. Source: kubernetes, pkg/kubeapiserver/options/plugins.go. */
export function plugins(parts: PluginParts): readonly AdmissionPlugin[] {
  return [namespaceLifecycle(parts)];
}
