import { checkDnsSubdomain, type UserInfo } from '../../meta/index.ts';
import { parseServiceAccountUserName } from '../authentication/service-account-name.ts';
import { namesOnly, type WantedUser } from './wanted-user.ts';

/** A constrained way to impersonate, with its own verbs (KEP-5284). */
export interface ImpersonationMode {
  readonly name: string;
  /** Whether this user may use the mode to become that one. */
  applies(wanted: WantedUser, requestor: UserInfo): boolean;
}

const nodeKey = 'authentication.kubernetes.io/node-name';

/** The node of a user name; undefined if the user is not a node. */
export function nodeOf(userName: string): string | undefined {
  const prefix = 'system:node:';
  const name = userName.startsWith(prefix) ? userName.slice(prefix.length) : '';
  return name === '' || checkDnsSubdomain(name).length > 0 ? undefined : name;
}

/** The node of a service account's pod. */
function associatedNode({ name, extra }: UserInfo): string | undefined {
  const nodes = extra?.get(nodeKey);
  return parseServiceAccountUserName(name) !== undefined && nodes?.length === 1 ? nodes[0] : undefined;
}

/** In upstream's order. Source: apiserver, endpoints/filters/impersonation/mode.go. */
export const constrainedModes: readonly ImpersonationMode[] = Object.freeze([
  {
    name: 'associated-node',
    applies: (wanted, requestor) => {
      const node = nodeOf(wanted.name);
      return namesOnly(wanted) && node !== undefined && node === associatedNode(requestor);
    },
  },
  {
    name: 'arbitrary-node',
    applies: (wanted) => namesOnly(wanted) && nodeOf(wanted.name) !== undefined,
  },
  {
    name: 'serviceaccount',
    applies: (wanted) => namesOnly(wanted) && parseServiceAccountUserName(wanted.name) !== undefined,
  },
  {
    name: 'user-info',
    applies: ({ name }) => nodeOf(name) === undefined && parseServiceAccountUserName(name) === undefined,
  },
]);
