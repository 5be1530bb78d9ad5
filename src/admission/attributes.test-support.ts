import type { GroupVersionKind, GroupVersionResource, KubeObject, UserInfo } from '../meta/index.ts';
import { AdmissionAttributes, type Operation } from './attributes.ts';
import type { EquivalentResource } from './object-conversions.ts';

/** The attributes that a test sets. */
interface Write {
  readonly operation?: Operation;
  readonly resource?: GroupVersionResource;
  readonly kind?: GroupVersionKind;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly object?: KubeObject | undefined;
  readonly oldObject?: KubeObject | undefined;
  readonly dryRun?: boolean;
  readonly user?: UserInfo;
  readonly equivalents?: readonly EquivalentResource[];
}

export const widgetResource = { group: 'example.com', version: 'v1', resource: 'widgets' };
export const widgetKind = { group: 'example.com', version: 'v1', kind: 'Widget' };

/** A write of the widget `a` in the namespace `shop`, and the records about it. */
export function writeOf(write: Write = {}) {
  const warnings: string[] = [];
  const annotations = new Map<string, string>();
  const { equivalents = [], ...given } = write;
  const unused = () => {
    throw new Error('not part of this test');
  };
  const attributes = new AdmissionAttributes({
    operation: 'CREATE',
    resource: widgetResource,
    kind: widgetKind,
    subresource: '',
    namespace: 'shop',
    name: 'a',
    object: { metadata: { name: 'a' } },
    oldObject: undefined,
    options: () => ({ kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' }),
    dryRun: false,
    user: { name: 'alice', groups: [] },
    minRevision: undefined,
    signal: () => new AbortController().signal,
    warn: (text) => void warnings.push(text),
    annotate: (key, value) => void annotations.set(key, value),
    conversions: {
      equivalents: () => equivalents,
      convert: async (object, { group, version }) => ({ ...object, apiVersion: `${group}/${version}` }),
      mergeType: unused,
      complete: () => {},
    },
    ...given,
  });
  return { attributes, warnings, annotations };
}
