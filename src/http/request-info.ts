/** The target of an API path. Source: apiserver, endpoints/request/requestinfo.go. */
export interface ResourcePath {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** Empty for the discovery document of a version. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly subresource: string;
  /** True if segments follow the subresource. Upstream ignores them for custom resources: `/scale/x` is `/scale`. */
  readonly hasMore: boolean;
  /** True for `/api/v1/watch/...`. */
  readonly watch: boolean;
}

/** Subresources of a namespace; any other segment after its name is a resource in it. */
const namespaceSubresources: ReadonlySet<string> = new Set(['status', 'finalize']);

/**
 * Parses a path below `/api` or `/apis`; undefined for other paths, and for a path without a version.
 *
 * `/apis/example.com/v1/namespaces/ns/widgets/x/status` gives group, version, namespace, resource, name, subresource.
 */
export function parseResourcePath(path: string): ResourcePath | undefined {
  const steps = splitPath(path);
  if (steps === undefined) return undefined;
  const [root = '', ...rest] = steps;
  if (root === 'api' && rest.length >= 1) return readVersioned('', rest);
  if (root === 'apis' && rest.length >= 2) return readVersioned(rest[0] ?? '', rest.slice(1));
  return undefined;
}

/**
 * The segments of the decoded path, as upstream has them: `%2F` separates. Undefined if the encoding is invalid. A trailing slash
 * is ignored.
 */
export function splitPath(path: string): string[] | undefined {
  try {
    const trimmed = withoutOuterSlashes(path);
    if (trimmed === '') return [];
    return (trimmed.includes('%') ? decodeURIComponent(trimmed) : trimmed).split('/');
  } catch {
    return undefined;
  }
}

/** This runs for every request; a regular expression would scan each character. */
function withoutOuterSlashes(path: string): string {
  let start = 0;
  let end = path.length;
  while (start < end && path[start] === '/') start += 1;
  while (end > start && path[end - 1] === '/') end -= 1;
  return path.slice(start, end);
}

function readVersioned(group: string, [version = '', ...steps]: string[]): ResourcePath | undefined {
  const watch = steps[0] === 'watch' && steps.length > 1;
  const { namespace, rest } = readNamespace(watch ? steps.slice(1) : steps);
  const [resource = '', name = '', subresource = '', ...more] = rest;
  return { group, version, resource, namespace, name, subresource, hasMore: more.length > 0, watch };
}

function readNamespace(steps: readonly string[]): { namespace: string; rest: readonly string[] } {
  const [first = '', namespace = '', third = ''] = steps;
  if (first !== 'namespaces' || steps.length < 3 || namespaceSubresources.has(third)) {
    return { namespace: '', rest: steps };
  }
  return { namespace, rest: steps.slice(2) };
}
