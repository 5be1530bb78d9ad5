import { decodeYaml } from '../codec/index.ts';
import {
  aggregateText,
  checkDnsSubdomain,
  duplicate,
  type FieldError,
  FieldPath,
  invalid,
  isObject,
  type JsonObject,
  notSupported,
  own,
  ownList,
  ownObject,
  ownString,
  parseGoDuration,
  required,
} from '../meta/index.ts';
import { AuthorizationConfigurationError } from './configuration-error.ts';

/** An authorization webhook. Times are in milliseconds. */
export interface WebhookConfig {
  readonly allowedMs: number;
  readonly otherMs: number;
  readonly timeoutMs: number;
  readonly onFailure: 'no-opinion' | 'deny';
  readonly kubeconfigFile: string;
  readonly conditions: readonly string[];
}

/** The authorizers, in order. */
type AuthorizerConfig = { readonly type: string; readonly webhook?: WebhookConfig };

const group = 'apiserver.config.k8s.io';
const versions: ReadonlySet<string> = new Set(['v1', 'v1beta1', 'v1alpha1'].map((one) => `${group}/${one}`));

/**
 * Parses a file of `--authorization-config`. Source: apiserver, apis/apiserver/v1 and validation.
 *
 * @param known the types besides Webhook
 * @throws {AuthorizationConfigurationError} with all errors of the file
 */
export function readAuthorizationConfiguration(text: string, known: readonly string[]): AuthorizerConfig[] {
  const config = decoded(text);
  const kind = ownString(config, 'kind') ?? '';
  if (kind !== 'AuthorizationConfiguration' || !versions.has(ownString(config, 'apiVersion') ?? ''))
    throw new AuthorizationConfigurationError(`want kind AuthorizationConfiguration of ${group}/v1`);
  const errors: FieldError[] = [];
  const listed = (ownList(config, 'authorizers') ?? []).map((one) => (isObject(one) ? one : {}));
  if (listed.length === 0)
    errors.push(required('authorizers', 'at least one authorization mode must be defined'));
  const [types, names] = [new Set<string>(), new Set<string>()];
  const authorizers = listed.map((one, index) => {
    const path = FieldPath.of('authorizers').index(index);
    errors.push(...typeErrors(one, path, { types, known: [...known, 'Webhook'].sort() }));
    errors.push(...nameErrors(ownString(one, 'name') ?? '', path.child('name'), names));
    return readAuthorizer(one, path, errors);
  });
  if (errors.length > 0) throw new AuthorizationConfigurationError(aggregateText(errors));
  return authorizers;
}

function decoded(text: string): JsonObject {
  try {
    const { value } = decodeYaml(Buffer.from(text));
    return isObject(value) ? value : {};
  } catch (error) {
    throw new AuthorizationConfigurationError(error instanceof Error ? error.message : String(error), {
      cause: error,
    });
  }
}

function typeErrors(
  authorizer: JsonObject,
  path: FieldPath,
  { types, known }: { readonly types: Set<string>; readonly known: readonly string[] },
): FieldError[] {
  const type = ownString(authorizer, 'type') ?? '';
  const at = path.child('type');
  if (type === '') return [required(at)];
  if (!known.includes(type)) return [notSupported(at, type, known)];
  if (types.has(type) && type !== 'Webhook') return [duplicate(at, type)];
  types.add(type);
  return [];
}

function nameErrors(name: string, path: FieldPath, names: Set<string>): FieldError[] {
  if (name === '') return [required(path)];
  if (names.has(name)) return [duplicate(path, name)];
  names.add(name);
  const faults = checkDnsSubdomain(name);
  return faults.length === 0 ? [] : [invalid(path, name, `authorizer name is invalid: ${faults.join(', ')}`)];
}

function readAuthorizer(authorizer: JsonObject, path: FieldPath, errors: FieldError[]): AuthorizerConfig {
  const type = ownString(authorizer, 'type') ?? '';
  const webhook = ownObject(authorizer, 'webhook');
  if (type !== 'Webhook') {
    if (webhook !== undefined)
      errors.push(invalid(path.child('webhook'), 'non-null', 'may only be specified when type=Webhook'));
    return { type };
  }
  if (webhook !== undefined) return { type, webhook: readWebhook(webhook, path, errors) };
  errors.push(required(path.child('webhook'), 'required when type=Webhook'));
  return { type };
}

function readWebhook(webhook: JsonObject, path: FieldPath, errors: FieldError[]): WebhookConfig {
  const duration = (key: string) => readDuration(webhook, key, { path, errors });
  const timeoutMs = duration('timeout');
  if (timeoutMs > 30_000)
    errors.push(invalid(path.child('timeout'), own(webhook, 'timeout'), 'must be > 0s and <= 30s'));
  const [allowedMs, otherMs] = [duration('authorizedTTL'), duration('unauthorizedTTL')];
  const keeps = (key: string, ms: number) => (own(webhook, key) === false ? 0 : ms);
  errors.push(...versionErrors(webhook, path));
  return {
    allowedMs: keeps('cacheAuthorizedRequests', allowedMs),
    otherMs: keeps('cacheUnauthorizedRequests', otherMs),
    timeoutMs,
    onFailure: readFailurePolicy(webhook, path.child('failurePolicy'), errors),
    kubeconfigFile: readConnection(webhook, path.child('connectionInfo'), errors),
    conditions: readConditions(webhook, path.child('matchConditions'), errors),
  };
}

interface DurationReading {
  readonly path: FieldPath;
  readonly errors: FieldError[];
}

function readDuration(object: JsonObject, key: string, { path, errors }: DurationReading): number {
  const text = ownString(object, key) ?? '';
  if (text === '') {
    errors.push(required(path.child(key)));
    return 0;
  }
  const isDuration = /^(?:\d+(?:\.\d+)?(?:h|ms|m|s))+$/.test(text);
  const ms = isDuration ? parseGoDuration(text) : 0;
  if (typeof ms === 'number' && ms > 0) return ms;
  errors.push(invalid(path.child(key), text, 'must be > 0s'));
  return 0;
}

function versionErrors(webhook: JsonObject, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const version = ownString(webhook, 'subjectAccessReviewVersion') ?? '';
  const at = path.child('subjectAccessReviewVersion');
  if (version === '') errors.push(required(at));
  else if (version !== 'v1') errors.push(notSupported(at, version, ['v1']));
  const conditionsVersion = ownString(webhook, 'matchConditionSubjectAccessReviewVersion') ?? '';
  const conditionsAt = path.child('matchConditionSubjectAccessReviewVersion');
  const hasConditions = (ownList(webhook, 'matchConditions') ?? []).length > 0;
  if (conditionsVersion === '' && hasConditions)
    errors.push(required(conditionsAt, 'required if match conditions are specified'));
  if (conditionsVersion !== '' && conditionsVersion !== 'v1')
    errors.push(notSupported(conditionsAt, conditionsVersion, ['v1']));
  return errors;
}

function readFailurePolicy(
  webhook: JsonObject,
  path: FieldPath,
  errors: FieldError[],
): WebhookConfig['onFailure'] {
  const policy = ownString(webhook, 'failurePolicy') ?? '';
  if (policy === '') errors.push(required(path));
  else if (policy !== 'NoOpinion' && policy !== 'Deny')
    errors.push(notSupported(path, policy, ['NoOpinion', 'Deny']));
  return policy === 'NoOpinion' ? 'no-opinion' : 'deny';
}

function readConnection(webhook: JsonObject, path: FieldPath, errors: FieldError[]): string {
  const info = ownObject(webhook, 'connectionInfo') ?? {};
  const [type, file] = [ownString(info, 'type') ?? '', ownString(info, 'kubeConfigFile') ?? ''];
  if (type === '') errors.push(required(path.child('type')));
  else if (type !== 'KubeConfigFile') errors.push(notSupported(path.child('type'), type, ['KubeConfigFile']));
  else if (file === '') errors.push(required(path.child('kubeConfigFile')));
  else if (!file.startsWith('/'))
    errors.push(invalid(path.child('kubeConfigFile'), file, 'must be an absolute path'));
  return file;
}

function readConditions(webhook: JsonObject, path: FieldPath, errors: FieldError[]): string[] {
  const listed = (ownList(webhook, 'matchConditions') ?? []).map((one) => (isObject(one) ? one : {}));
  const seen = new Set<string>();
  return listed.flatMap((condition, index) => {
    const expression = ownString(condition, 'expression') ?? '';
    const at = path.index(index).child('expression');
    if (expression.trim() === '') {
      errors.push(required(at));
      return [];
    }
    if (seen.has(expression)) errors.push(duplicate(at, expression));
    seen.add(expression);
    return [expression];
  });
}
