import type { Credentials } from './credentials.ts';

/** The credentials of a request that sends none. */
export function credentialsOf(brought: Partial<Credentials> = {}): Credentials {
  return {
    bearerToken: '',
    certificate: undefined,
    path: '/',
    header: () => undefined,
    headersFrom: () => [],
    ...brought,
  };
}
