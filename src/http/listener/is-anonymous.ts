import { anonymousUser } from '../../auth/index.ts';
import type { UserInfo } from '../../meta/index.ts';

/** True for the user of requests without credentials. */
export function isAnonymous(user: UserInfo): boolean {
  return user.name === anonymousUser.name;
}
