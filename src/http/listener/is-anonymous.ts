import { anonymousUser } from '../../auth/index.ts';
import type { UserInfo } from '../../meta/index.ts';

/** True for the user that requests without credentials get. */
export function isAnonymous(user: UserInfo): boolean {
  return user.name === anonymousUser.name;
}
