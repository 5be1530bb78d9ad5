import { allowed, type Authorizer, noOpinion } from './authorizer.ts';

/** Members may do everything, whatever the rules say. */
export const mastersGroup = 'system:masters';

/** The first link of each chain. Source: apiserver, authorization/authorizerfactory, NewPrivilegedGroups. */
export const authorizeMasters: Authorizer = Object.freeze({
  authorize: ({ user }) => (user.groups.includes(mastersGroup) ? allowed : noOpinion),
} satisfies Authorizer);
