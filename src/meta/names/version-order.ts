import { compareBytes } from '../go/go-text.ts';

const kubeVersion = /^v([0-9]+)(?:(alpha|beta)([0-9]+))?$/;
const int64Max = 2n ** 63n - 1n;

interface KubeVersion {
  readonly major: bigint;
  /** 0 for alpha, 1 for beta, 2 for stable. */
  readonly stability: number;
  readonly minor: bigint;
}

/**
 * Orders API versions by priority, the highest first: `v2 > v1 > v1beta2 > v1beta1 > v1alpha1 > bar > foo`. Versions
 * that are not Kubernetes-like come last, in alphabetical order.
 * Source: https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/#version-priority
 */
export function compareVersionPriority(a: string, b: string): number {
  const left = parseVersion(a);
  const right = parseVersion(b);
  if (left === undefined && right === undefined) return compareBytes(a, b);
  if (left === undefined) return 1;
  if (right === undefined) return -1;
  return (
    right.stability - left.stability ||
    compareIntegers(right.major, left.major) ||
    compareIntegers(right.minor, left.minor)
  );
}

/** A version with a number too large for a Go int is not Kubernetes-like. */
function parseVersion(text: string): KubeVersion | undefined {
  const [found, major = '', stability, minor = '0'] = kubeVersion.exec(text) ?? [];
  if (found === undefined || text.length > 64) return undefined;
  const version = {
    major: BigInt(major),
    stability: stability === 'alpha' ? 0 : stability === 'beta' ? 1 : 2,
    minor: BigInt(minor),
  };
  return version.major > int64Max || version.minor > int64Max ? undefined : version;
}

function compareIntegers(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
