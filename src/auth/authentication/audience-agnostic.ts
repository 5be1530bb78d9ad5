import type { Authentication } from './authentication.ts';
import type { Authenticator } from './authenticator.ts';
import type { Credentials } from './credentials.ts';

/**
 * Wraps an authenticator whose tokens carry no audience: its users get every requested audience that is one of this
 * server's.
 * Source: apiserver, authentication/authenticator/audagnostic.go.
 */
export function audienceAgnostic(inner: Authenticator, own: readonly string[]): Authenticator {
  const agnostic = {
    authenticate(credentials: Credentials) {
      const { audiences } = credentials;
      if (audiences === undefined) return inner.authenticate(credentials);
      const common = audiences.filter((one) => own.includes(one));
      if (common.length === 0) return undefined;
      const found = inner.authenticate(credentials);
      return found instanceof Promise
        ? found.then((one) => withAudiences(one, common))
        : withAudiences(found, common);
    },
  };
  return inner.onChange === undefined
    ? agnostic
    : { ...agnostic, onChange: (listener) => inner.onChange?.(listener) ?? (() => {}) };
}

function withAudiences(
  found: Authentication | undefined,
  audiences: readonly string[],
): Authentication | undefined {
  return found && { ...found, audiences };
}
