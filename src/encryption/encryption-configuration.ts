import { decodeYaml } from '../codec/index.ts';
import {
  aggregateText,
  type FieldError,
  FieldPath,
  isObject,
  type JsonObject,
  ownList,
  ownString,
  required,
  stringList,
  systemClock,
  systemTimers,
  own,
} from '../meta/index.ts';
import { EncryptionConfigurationError } from './configuration-error.ts';
import {
  EncryptionRuleBuilder,
  type EncryptionRules,
  noServices,
  parseResource,
  resourceText,
} from './encryption-rules.ts';
import type { KmsConfiguration } from './kms/kms-configuration.ts';
import { KeyService, type KeyServiceParts } from './kms/key-service.ts';
import { keyServiceSet } from './kms/key-service-set.ts';
import { type Provider, readProvider, type ReadProviders } from './providers.ts';
import { resourceErrors } from './validate-resources.ts';

const apiVersion = 'apiserver.config.k8s.io/v1';

interface ResourceConfiguration {
  readonly resources: readonly string[];
  readonly providers: readonly Provider[];
}

const systemParts: KeyServiceParts = { clock: systemClock, timers: systemTimers, onTrouble: () => {} };

/**
 * Parses a file of `--encryption-provider-config`. Source: apiserver, server/options/encryptionconfig.
 *
 * @returns rules whose KMS plugins are called after `services.start`
 * @throws {EncryptionConfigurationError} with all errors of the file
 */
export function readEncryptionConfiguration(
  text: string,
  parts: KeyServiceParts = systemParts,
): EncryptionRules {
  const document = documentOf(text);
  const root = FieldPath.of('resources');
  const errors: FieldError[] = [];
  const entries = ownList(document, 'resources') ?? [];
  if (entries.length === 0) errors.push(required(root, 'at least one resources is required'));
  const found = {
    errors,
    kmsNames: new Set<string>(),
    makeKeyService: (kms: KmsConfiguration) => new KeyService(kms, parts),
  };
  const read = entries.map((entry, index) =>
    readEntry(isObject(entry) ? entry : {}, root.index(index), found),
  );
  if (errors.length > 0)
    throw new EncryptionConfigurationError(`error while parsing file: ${aggregateText(errors)}`);
  return rulesOf(read);
}

function documentOf(text: string): JsonObject {
  const document = decoded(text);
  const [version, kind] = [ownString(document, 'apiVersion') ?? '', ownString(document, 'kind') ?? ''];
  if (kind === 'EncryptionConfiguration' && version === apiVersion) return document;
  throw new EncryptionConfigurationError(
    `error while parsing file: want kind EncryptionConfiguration of ${apiVersion}, got ${kind || 'no kind'} of ${version || 'no apiVersion'}`,
  );
}

function decoded(text: string): JsonObject {
  try {
    const { value } = decodeYaml(Buffer.from(text));
    return isObject(value) ? value : {};
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new EncryptionConfigurationError(`error while parsing file: ${why}`, { cause: error });
  }
}

function readEntry(entry: JsonObject, path: FieldPath, found: ReadProviders): ResourceConfiguration {
  const { errors } = found;
  const [resourcesPath, providersPath] = [path.child('resources'), path.child('providers')];
  const resources = stringList(own(entry, 'resources'));
  if (resources.length === 0) errors.push(atLeastOne(resourcesPath));
  errors.push(...resourceErrors(resources, resourcesPath));
  const given = ownList(entry, 'providers') ?? [];
  if (given.length === 0) errors.push(atLeastOne(providersPath));
  const providers = given.flatMap((provider, index) => {
    return readProvider(isObject(provider) ? provider : {}, providersPath.index(index), found) ?? [];
  });
  return { resources, providers };
}

const atLeastOne = (path: FieldPath) => required(path, `at least one ${path.toString()} is required`);

function rulesOf(entries: readonly ResourceConfiguration[]): EncryptionRules {
  const builder = new EncryptionRuleBuilder();
  const services: KeyService[] = [];
  for (const { resources, providers } of entries) {
    if (providers.some(({ isKmsV1 }) => isKmsV1)) throw new EncryptionConfigurationError(kmsV1Text);
    services.push(...providers.flatMap(({ service }) => service ?? []));
    const transformers = providers.map(({ transformer }) => transformer);
    for (const resource of resources.map(parseResource)) {
      const mask = builder.maskOf(resource);
      if (mask !== undefined) {
        const [name, rule] = [resource, mask].map((one) => JSON.stringify(resourceText(one)));
        throw new EncryptionConfigurationError(
          `error while building transformers: resource ${name} is masked by earlier rule ${rule}`,
        );
      }
      builder.add(resource, transformers);
    }
  }
  return builder.build(services.length === 0 ? noServices : keyServiceSet(services));
}

/** Upstream has a feature gate for it, off by default, which Ilk does not implement. */
const kmsV1Text =
  'error while building transformers: KMSv1 is deprecated and will only receive security updates going forward. Use KMSv2 instead.  Set --feature-gates=KMSv1=true to use the deprecated KMSv1 feature.';
