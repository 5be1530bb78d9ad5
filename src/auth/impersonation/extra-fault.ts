import { checkDnsSubdomain, goQuote } from '../../meta/index.ts';

const pathForm = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/;

/** The error in the extra fields of a user to be impersonated by a constrained mode; undefined if there is none. */
export function extraFault(extra: ReadonlyMap<string, readonly string[]>): string | undefined {
  for (const [key, values] of extra) {
    if (key === '') return 'impersonating the empty string key in extra is not allowed';
    if (!isDomainPrefixedPath(key)) {
      return `impersonating an invalid key in extra is not allowed: extra.key: Invalid value: ${goQuote(key)}: must be a domain-prefixed path (such as "acme.io/foo")`;
    }
    if (key !== key.toLowerCase()) {
      return `impersonating a non-lowercase key in extra is not allowed: ${goQuote(key)}`;
    }
    if (values.length === 0) return 'impersonating empty values in extra is not allowed';
    if (values.includes('')) return 'impersonating the empty string value in extra is not allowed';
  }
  return undefined;
}

function isDomainPrefixedPath(key: string): boolean {
  const slash = key.indexOf('/');
  if (slash === -1) return false;
  return checkDnsSubdomain(key.slice(0, slash)).length === 0 && pathForm.test(key.slice(slash + 1));
}
