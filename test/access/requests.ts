import type { InProcessFetch } from '../../src/http/index.ts';

/** Requests, and roles and bindings as objects. */

export const rbac = 'rbac.authorization.k8s.io';

export async function send(fetch: InProcessFetch, method: string, path: string, body?: object, headers = {}) {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const init =
    body === undefined
      ? { headers }
      : { headers: { 'content-type': type, ...headers }, body: JSON.stringify(body) };
  const response = await fetch(path, { method, ...init });
  const text = await response.text();
  const json = text.startsWith('{') ? JSON.parse(text) : { message: text };
  return { status: response.status, json, message: String(json.message ?? '') };
}

export const get = (fetch: InProcessFetch, path: string, headers?: Record<string, string>) =>
  send(fetch, 'GET', path, undefined, headers);

export interface Rule {
  readonly verbs: string[];
  readonly apiGroups?: string[];
  readonly resources?: string[];
  readonly resourceNames?: string[];
  readonly nonResourceURLs?: string[];
}
export const clusterRole = (name: string, ...rules: Rule[]) => ({
  apiVersion: `${rbac}/v1`,
  kind: 'ClusterRole',
  metadata: { name },
  rules,
});
export const role = (name: string, ...rules: Rule[]) => ({ ...clusterRole(name, ...rules), kind: 'Role' });
export const binding = (name: string, ref: string, ...subjects: object[]) => {
  const [kind, roleName] = ref.split('/');
  return {
    apiVersion: `${rbac}/v1`,
    kind: 'RoleBinding',
    metadata: { name },
    roleRef: { apiGroup: rbac, kind, name: roleName },
    subjects,
  };
};
export const clusterBinding = (name: string, ref: string, ...subjects: object[]) => ({
  ...binding(name, ref, ...subjects),
  kind: 'ClusterRoleBinding',
});
export const isUser = (name: string) => ({ kind: 'User', name });
export const isGroup = (name: string) => ({ kind: 'Group', name });
