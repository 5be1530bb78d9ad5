import { allowed, type Authorizer, noOpinion } from './authorizer.ts';

/** Members may do everything; no other authorizer is asked. */
export const mastersGroup = 'system:masters';

/** The first authorizer of each chain. Source: apiserver, authorization/authorizerfactory, NewPrivilegedGroups. */
export const authorizeMasters: Authorizer = Object.freeze({
  authorize: ({ user }) => (user.groups.includes(mastersGroup) ? allowed : noOpinion),
} satisfies Authorizer);
