import { decodeYaml } from '../codec/index.ts';
import {
  aggregateText,
  type FieldError,
  invalid,
  FieldPath,
  isObject,
  type JsonObject,
  own,
  ownObject,
  ownString,
} from '../meta/index.ts';
import { ConfigReader } from './config-reader.ts';
import { ConfigurationError } from './configuration-error.ts';
import type { IssuerConfig } from './oidc/issuer-config.ts';
import { readIssuer } from './oidc/read-issuer.ts';

/** Whether requests without credentials are allowed. */
interface AnonymousConfig {
  readonly enabled: boolean;
  /** The paths allowed to anonymous requests; undefined for all. */
  readonly paths: readonly string[] | undefined;
}

/** A parsed AuthenticationConfiguration. */
interface AuthenticationConfiguration {
  readonly issuers: readonly IssuerConfig[];
  /** Undefined if the file does not set it. */
  readonly anonymous: AnonymousConfig | undefined;
}

const group = 'apiserver.config.k8s.io';
const versions: ReadonlySet<string> = new Set(['v1', 'v1beta1', 'v1alpha1'].map((one) => `${group}/${one}`));
const issuersMax = 64;

/**
 * Parses a file of `--authentication-config`. Source: apiserver, apis/apiserver/v1 and validation.
 *
 * @param ownIssuers the issuers of service account tokens, which the file must not name
 * @throws {ConfigurationError} with all errors of the file
 */
export function readAuthenticationConfiguration(
  text: string,
  ownIssuers: readonly string[],
): AuthenticationConfiguration {
  const config = documentOf(text);
  const reader = new ConfigReader();
  const issuers = readIssuers(config, reader, ownIssuers);
  const anonymous = readAnonymous(config, reader);
  throwErrors(reader.errors);
  return { issuers, anonymous };
}

function documentOf(text: string): JsonObject {
  const config = decoded(text);
  const [apiVersion, kind] = [ownString(config, 'apiVersion') ?? '', ownString(config, 'kind') ?? ''];
  if (kind !== 'AuthenticationConfiguration' || !versions.has(apiVersion)) {
    throw new ConfigurationError(
      `want kind AuthenticationConfiguration of ${group}/v1, got ${kind || 'no kind'} of ${apiVersion || 'no apiVersion'}`,
    );
  }
  return config;
}

function decoded(text: string): JsonObject {
  try {
    const { value } = decodeYaml(Buffer.from(text));
    return isObject(value) ? value : {};
  } catch (error) {
    throw new ConfigurationError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function readIssuers(
  config: JsonObject,
  reader: ConfigReader,
  ownIssuers: readonly string[],
): IssuerConfig[] {
  const found = reader.objects(config, 'jwt', FieldPath.of('jwt')).map(({ value }, index) => ({
    value,
    path: FieldPath.of('jwt').index(index),
  }));
  if (found.length > issuersMax)
    throw new ConfigurationError(`jwt: Too many: ${found.length}: must have at most ${issuersMax} items`);
  const [urls, discoveryUrls] = [new Set<string>(), new Set<string>()];
  return found.map(({ value, path }) => {
    const issuer = readIssuer(value, path, { reader, ownIssuers });
    reader.unique(urls, issuer.url, path.child('issuer', 'url'));
    if (issuer.discoveryUrl !== undefined)
      reader.unique(discoveryUrls, issuer.discoveryUrl, path.child('issuer', 'discoveryURL'));
    return issuer;
  });
}

function readAnonymous(config: JsonObject, reader: ConfigReader): AnonymousConfig | undefined {
  const anonymous = ownObject(config, 'anonymous');
  if (anonymous === undefined) return undefined;
  const enabled = own(anonymous, 'enabled') === true;
  const conditions = reader.objects(anonymous, 'conditions', FieldPath.of('anonymous'));
  const paths = conditions.map(({ value }) => reader.text(value, 'path'));
  if (!enabled && conditions.length > 0) {
    const detail = 'enabled should be set to true when conditions are defined';
    reader.add(invalid(FieldPath.of('anonymous', 'conditions'), paths, detail));
  }
  return { enabled, paths: paths.length === 0 ? undefined : paths };
}

function throwErrors(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw new ConfigurationError(aggregateText(errors));
}
