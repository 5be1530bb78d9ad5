import { X509Certificate } from 'node:crypto';
import {
  checkDnsSubdomain,
  type FieldPath,
  invalid,
  type JsonObject,
  own,
  ownObject,
  required,
  stringList,
} from '../../meta/index.ts';
import type { ConfigReader } from '../config-reader.ts';
import {
  type ClaimRule,
  type IssuerConfig,
  type Mapping,
  signingAlgorithms,
  type UserRule,
} from './issuer-config.ts';

interface IssuerReading {
  readonly reader: ConfigReader;
  /** Issuers that a configuration must not name. */
  readonly ownIssuers: readonly string[];
}

const bothText = "claim and expression can't both be set";

/** Parses and validates one entry of `jwt`. Source: apiserver, apis/apiserver/validation. */
export function readIssuer(value: JsonObject, path: FieldPath, reading: IssuerReading): IssuerConfig {
  const { reader } = reading;
  const mappings = ownObject(value, 'claimMappings') ?? {};
  const at = path.child('claimMappings');
  return {
    ...readEndpoint(ownObject(value, 'issuer') ?? {}, path.child('issuer'), reading),
    algorithms: signingAlgorithms,
    claimRules: readClaimRules(value, path, reader),
    username: readMapping(ownObject(mappings, 'username') ?? {}, at.child('username'), {
      reader,
      isRequired: true,
    }) ?? { claim: '', prefix: '' },
    groups: readMapping(ownObject(mappings, 'groups') ?? {}, at.child('groups'), {
      reader,
      isRequired: false,
    }),
    uid: readUid(ownObject(mappings, 'uid') ?? {}, at.child('uid'), reader),
    extra: readExtra(mappings, at, reader),
    userRules: readUserRules(value, path, reader),
  };
}

function readEndpoint(issuer: JsonObject, path: FieldPath, { reader, ownIssuers }: IssuerReading) {
  const url = reader.text(issuer, 'url');
  if (url === '') reader.add(required(path.child('url')));
  else {
    if (ownIssuers.includes(url)) {
      const listed = [...ownIssuers].sort().join(' ');
      const detail = `URL must not overlap with disallowed issuers: [${listed}]`;
      reader.add(invalid(path.child('url'), url, detail));
    }
    reader.httpsUrl(url, path.child('url'));
  }
  const audiences = readAudiences(issuer, path, reader);
  return {
    url,
    discoveryUrl: readDiscoveryUrl(issuer, path, reader),
    caPem: readCa(issuer, path, reader),
    audiences,
  };
}

function readDiscoveryUrl(issuer: JsonObject, path: FieldPath, reader: ConfigReader): string | undefined {
  const discoveryUrl = reader.text(issuer, 'discoveryURL');
  if (discoveryUrl === '') return undefined;
  const at = path.child('discoveryURL');
  const bare = (text: string) => text.replace(/\/+$/, '');
  if (bare(reader.text(issuer, 'url')) === bare(discoveryUrl))
    reader.add(invalid(at, discoveryUrl, 'discoveryURL must be different from URL'));
  reader.httpsUrl(discoveryUrl, at);
  return discoveryUrl;
}

function readCa(issuer: JsonObject, path: FieldPath, reader: ConfigReader): string | undefined {
  const pem = reader.text(issuer, 'certificateAuthority');
  if (pem === '') return undefined;
  try {
    new X509Certificate(pem);
  } catch {
    const detail = 'data does not contain any valid RSA or ECDSA certificates';
    reader.add(invalid(path.child('certificateAuthority'), '<omitted>', detail));
  }
  return pem;
}

function readAudiences(issuer: JsonObject, path: FieldPath, reader: ConfigReader): string[] {
  const given = own(issuer, 'audiences') ?? [];
  const audiences = stringList(given);
  const at = path.child('audiences');
  if (!Array.isArray(given) || given.length !== audiences.length)
    reader.add(invalid(at, given, 'want a list of strings'));
  if (audiences.length === 0) reader.add(required(at, `at least one ${at} is required`));
  const seen = new Set<string>();
  for (const [index, audience] of audiences.entries()) {
    if (audience === '') reader.add(required(at.index(index)));
    reader.unique(seen, audience, at.index(index));
  }
  const policy = reader.text(issuer, 'audienceMatchPolicy');
  const policyPath = path.child('audienceMatchPolicy');
  if (audiences.length > 1 && policy !== 'MatchAny')
    reader.add(invalid(policyPath, policy, 'audienceMatchPolicy must be MatchAny for multiple audiences'));
  if (audiences.length === 1 && policy !== '' && policy !== 'MatchAny')
    reader.add(
      invalid(policyPath, policy, 'audienceMatchPolicy must be empty or MatchAny for single audience'),
    );
  return audiences;
}

function readMapping(
  mapping: JsonObject,
  path: FieldPath,
  { reader, isRequired }: { readonly reader: ConfigReader; readonly isRequired: boolean },
): Mapping | undefined {
  const [claim, expression] = [reader.text(mapping, 'claim'), reader.text(mapping, 'expression')];
  const prefix = own(mapping, 'prefix');
  if (claim !== '' && expression !== '') reader.add(invalid(path, '', bothText));
  else if (claim === '' && expression === '') {
    if (isRequired) reader.add(required(path, 'claim or expression is required'));
    return undefined;
  } else if (expression !== '' && typeof prefix === 'string')
    reader.add(invalid(path.child('prefix'), prefix, 'may not be specified when expression is set'));
  else if (claim !== '' && typeof prefix !== 'string') {
    const detail =
      'prefix is required when claim is set. It can be set to an empty string to disable prefixing';
    reader.add(required(path.child('prefix'), detail));
  }
  return expression === '' ? { claim, prefix: typeof prefix === 'string' ? prefix : '' } : { expression };
}

function readUid(mapping: JsonObject, path: FieldPath, reader: ConfigReader): Mapping | undefined {
  const [claim, expression] = [reader.text(mapping, 'claim'), reader.text(mapping, 'expression')];
  if (claim !== '' && expression !== '') reader.add(invalid(path, '', bothText));
  if (expression !== '') return { expression };
  return claim === '' ? undefined : { claim, prefix: '' };
}

function readExtra(mappings: JsonObject, path: FieldPath, reader: ConfigReader) {
  const seen = new Set<string>();
  return reader.objects(mappings, 'extra', path).flatMap(({ value, path: at }) => {
    const [key, expression] = [reader.text(value, 'key'), reader.text(value, 'valueExpression')];
    const keyPath = at.child('key');
    if (!isDomainPrefixed(key))
      reader.add(invalid(keyPath, key, 'must be a domain-prefixed path (such as "acme.io/foo")'));
    if (key !== key.toLowerCase()) reader.add(invalid(keyPath, key, 'must be lowercase'));
    if (/^(?:[^/]*\.)?(?:kubernetes|k8s)\.io\//.test(key)) {
      const detail = 'k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use';
      reader.add(invalid(keyPath, key, detail));
    }
    if (!reader.unique(seen, key, keyPath)) return [];
    if (expression === '') reader.add(required(at.child('valueExpression')));
    return expression === '' ? [] : [{ key, expression }];
  });
}

function isDomainPrefixed(key: string): boolean {
  const [domain = '', ...rest] = key.split('/');
  return rest.join('/') !== '' && checkDnsSubdomain(domain).length === 0;
}

function readClaimRules(issuer: JsonObject, path: FieldPath, reader: ConfigReader): ClaimRule[] {
  const [claims, expressions] = [new Set<string>(), new Set<string>()];
  return reader.objects(issuer, 'claimValidationRules', path).flatMap(({ value, path: at }): ClaimRule[] => {
    const [claim, expression] = [reader.text(value, 'claim'), reader.text(value, 'expression')];
    const [message, requiredValue] = [reader.text(value, 'message'), reader.text(value, 'requiredValue')];
    if (claim !== '' && expression !== '') {
      reader.add(invalid(at, claim, bothText));
      return [];
    }
    if (claim !== '') {
      if (message !== '')
        reader.add(invalid(at.child('message'), message, 'may not be specified when claim is set'));
      reader.unique(claims, claim, at.child('claim'));
      return [{ claim, requiredValue }];
    }
    if (expression === '') {
      reader.add(required(at, 'claim or expression is required'));
      return [];
    }
    if (requiredValue !== '') {
      const detail = 'may not be specified when expression is set';
      reader.add(invalid(at.child('requiredValue'), requiredValue, detail));
    }
    return reader.unique(expressions, expression, at.child('expression')) ? [{ expression, message }] : [];
  });
}

function readUserRules(issuer: JsonObject, path: FieldPath, reader: ConfigReader): UserRule[] {
  const seen = new Set<string>();
  return reader.objects(issuer, 'userValidationRules', path).flatMap(({ value, path: at }) => {
    const [expression, message] = [reader.text(value, 'expression'), reader.text(value, 'message')];
    if (expression === '') {
      reader.add(required(at.child('expression')));
      return [];
    }
    return reader.unique(seen, expression, at.child('expression')) ? [{ expression, message }] : [];
  });
}
