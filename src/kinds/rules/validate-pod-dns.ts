import {
  type FieldError,
  invalid,
  type JsonObject,
  own,
  ownList,
  ownObject,
  required,
  stringList,
} from '../../meta/index.ts';
import { eachIn, invalidAs, textAt } from './field-checks.ts';
import { addressErrors } from './validate-address.ts';

const nameserversMax = 3;
const searchesMax = 32;
const searchCharsMax = 2048;

/** The errors of the DNS settings of a pod. Source: kubernetes, pkg/apis/core/validation, validatePodDNSConfig. */
export function podDnsErrors(spec: JsonObject, path: string): FieldError[] {
  const config = ownObject(spec, 'dnsConfig');
  if (own(spec, 'dnsPolicy') === 'None') {
    if (config === undefined) return [required(path, 'must provide `dnsConfig` when `dnsPolicy` is None')];
    const none = 'must provide at least one DNS nameserver when `dnsPolicy` is None';
    if ((ownList(config, 'nameservers') ?? []).length === 0) return [required(`${path}.nameservers`, none)];
  }
  return config === undefined ? [] : configErrors(config, path);
}

function configErrors(config: JsonObject, path: string): FieldError[] {
  const servers = stringList(own(config, 'nameservers'));
  const many = `must not have more than ${nameserversMax} nameservers`;
  return [
    ...(servers.length > nameserversMax ? [invalid(`${path}.nameservers`, servers, many)] : []),
    ...servers.flatMap((server, index) => addressErrors(`${path}.nameservers[${index}]`, server)),
    ...searchErrors(`${path}.searches`, stringList(own(config, 'searches'))),
    ...eachIn(path, config, 'options', (option, at) =>
      textAt(option, 'name') === '' ? [required(at, 'must not be empty')] : [],
    ),
  ];
}

function searchErrors(path: string, searches: string[]): FieldError[] {
  const chars = Buffer.byteLength(searches.join(' '));
  const many = `must not have more than ${searchesMax} search paths`;
  const long = `must not have more than ${searchCharsMax} characters (including spaces) in the search list`;
  return [
    ...(searches.length > searchesMax ? [invalid(path, searches, many)] : []),
    ...(chars > searchCharsMax ? [invalid(path, searches, long)] : []),
    ...searches.flatMap((search, index) =>
      search === '.' ? [] : invalidAs(`${path}[${index}]`, search.replace(/\.$/, ''), searchTexts),
    ),
  ];
}

const label = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const pattern = `${label}(\\.${label})*`;
const form = new RegExp(`^${pattern}$`);
const searchText =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must " +
  `start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${pattern}')`;

/** Source: apimachinery, IsDNS1123SubdomainWithUnderscore. */
function searchTexts(search: string): string[] {
  return [
    ...(Buffer.byteLength(search) > 253 ? ['must be no more than 253 characters'] : []),
    ...(form.test(search) ? [] : [searchText]),
  ];
}
