import { type KeyPair, makeCertificates, signRequest } from '../auth/index.ts';
import type { SignCertificate } from '../controllers/index.ts';

/** Signs with an authority; where the port believes none, with one that is made for the first request. */
export function certificateSigner(authority: KeyPair | undefined): SignCertificate {
  let known = authority === undefined ? undefined : Promise.resolve(authority);
  // TLS goes by the time of the machine, not by the server's clock.
  return async (spec) => {
    known ??= makeCertificates([], Date.now()).then(({ ca }) => ca);
    return signRequest(await known, spec, Date.now());
  };
}
