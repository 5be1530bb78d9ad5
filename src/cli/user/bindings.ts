import { createHash } from 'node:crypto';
import type { KubeObject } from '../../meta/index.ts';
import type { ApiClient } from '../../client/index.ts';

const group = 'rbac.authorization.k8s.io';

/** A ClusterRole for a user, in a namespace, or in all of them if that is empty. */
export interface Grant {
  readonly user: string;
  readonly role: string;
  readonly namespace: string;
}

/** The path of a grant's binding. */
export function bindingPath(grant: Grant): string {
  return `${collectionPath(grant.namespace)}/${encodeURIComponent(bindingName(grant))}`;
}

/** Object names may not contain all characters of user names; a hash makes the name unique. */
function bindingName({ user, role }: Grant): string {
  const plain = user.toLowerCase().replace(/[^a-z0-9-]/g, '-');
  const digest = createHash('sha256').update(user).digest('hex').slice(0, 6);
  return plain === user ? `ilk-user-${user}-${role}` : `ilk-user-${plain}-${digest}-${role}`;
}

function collectionPath(namespace: string): string {
  return namespace === ''
    ? `/apis/${group}/v1/clusterrolebindings`
    : `/apis/${group}/v1/namespaces/${encodeURIComponent(namespace)}/rolebindings`;
}

/** @throws {Error} with the server's message if it refuses */
export async function createBinding(client: ApiClient, grant: Grant): Promise<void> {
  const { refusal } = await client.call('POST', collectionPath(grant.namespace), bindingOf(grant));
  if (refusal !== undefined && refusal.reason !== 'AlreadyExists')
    throw new Error(`the server says: ${refusal.message}`);
}

/** @throws {Error} with the server's message if it refuses */
export async function deleteBinding(client: ApiClient, path: string): Promise<void> {
  const { refusal } = await client.call('DELETE', path);
  if (refusal !== undefined && refusal.reason !== 'NotFound')
    throw new Error(`the server says: ${refusal.message}`);
}

function bindingOf(grant: Grant): KubeObject {
  return {
    apiVersion: `${group}/v1`,
    kind: grant.namespace === '' ? 'ClusterRoleBinding' : 'RoleBinding',
    metadata: { name: bindingName(grant) },
    roleRef: { apiGroup: group, kind: 'ClusterRole', name: grant.role },
    subjects: [{ apiGroup: group, kind: 'User', name: grant.user }],
  };
}
