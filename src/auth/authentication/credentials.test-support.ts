import type { Credentials } from './credentials.ts';

/** Credentials as of a request that brings nothing else. */
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
