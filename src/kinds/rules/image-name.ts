/** Source: https://pkg.go.dev/github.com/distribution/reference */
const domainPart = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const domainPattern = new RegExp(`^(?:${domainPart}(?:\\.${domainPart})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?$`);
const pathPattern = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*$/;
const tagPattern = /^\w[\w.-]{0,127}$/;
const digestPattern = /^[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}$/;
const identifierPattern = /^[a-f0-9]{64}$/;
const lengthMax = 255;

/** The tag of an image: `latest` by default, empty for a digest without a tag, and for an invalid name. */
export function imageTag(image: string): string {
  const [named = '', ...digests] = image.split('@');
  const [digest] = digests;
  if (digests.length > 1 || (digest !== undefined && !digestPattern.test(digest))) return '';
  const colon = named.lastIndexOf(':');
  const hasTag = colon > named.lastIndexOf('/');
  const [name, tag] = hasTag ? [named.slice(0, colon), named.slice(colon + 1)] : [named, undefined];
  if (!isName(name) || (tag !== undefined && !tagPattern.test(tag))) return '';
  return tag ?? (digest === undefined ? 'latest' : '');
}

/** The patterns run only on names of limited length. */
function isName(name: string): boolean {
  if (name.length > lengthMax || identifierPattern.test(name)) return false;
  const [first = '', ...rest] = name.split('/');
  const isDomain =
    rest.length > 0 && (/[.:]/.test(first) || first === 'localhost' || first.toLowerCase() !== first);
  const path = isDomain ? rest : [first, ...rest];
  return (!isDomain || domainPattern.test(first)) && path.every((part) => pathPattern.test(part));
}
