import { webhookAddressErrors } from '../../crd/index.ts';
import {
  checkDns1035Label,
  checkDnsSubdomain,
  duplicate,
  equal,
  type FieldError,
  FieldPath,
  invalid,
  isObject,
  type JsonObject,
  type KubeObject,
  nameOf,
  notSupported,
  own,
  ownList,
  ownObject,
  ownString,
  required,
  stringList,
} from '../../meta/index.ts';
import type { RuleEnvironments } from '../../schema/index.ts';
import { eachItem, invalidAs, supported, textAt } from '../rules/field-checks.ts';
import { labelSelectorErrors } from '../rules/validate-label-selector.ts';
import { matchConditionsErrors } from './expression-checks.ts';
import { failurePolicies, matchPolicies, reinvocationPolicies, ruleErrors } from './validate-rules.ts';

/** The versions of AdmissionReview that are spoken here, the preferred one first. */
const reviewVersions = ['v1', 'v1beta1'];
const sideEffectClasses = ['None', 'NoneOnDryRun', 'Some', 'Unknown'];
const noSideEffects = ['None', 'NoneOnDryRun'];

/** Which rules an update is excused from, because the stored object breaks them already. */
interface Leniency {
  readonly sideEffects: boolean;
  readonly reviewVersions: boolean;
  readonly names: boolean;
  readonly selectors: boolean;
  readonly matchConditions: boolean;
  readonly storedExpressions: ReadonlySet<string>;
}

/** Mistakes in a configuration of webhooks, of either kind. */
export function webhookConfigurationErrors(
  configuration: KubeObject,
  old: KubeObject | undefined,
  environments: RuleEnvironments,
): FieldError[] {
  const lenient = leniencyOf(configuration, old);
  const names = new Set<string>();
  return eachItem('webhooks', ownList(configuration, 'webhooks'), (hook, path) => {
    const name = textAt(hook, 'name');
    const isTwin = !lenient.names && name !== '' && names.has(name);
    names.add(name);
    return [
      ...webhookErrors(hook, path, lenient),
      ...conditionsErrors(hook, path, lenient, environments),
      ...reviewVersionsErrors(hook, `${path}.admissionReviewVersions`, lenient),
      ...(isTwin ? [duplicate(`${path}.name`, name)] : []),
    ];
  });
}

function webhooksOf(configuration: KubeObject): JsonObject[] {
  return (ownList(configuration, 'webhooks') ?? []).filter(isObject);
}

function leniencyOf(configuration: KubeObject, old: KubeObject | undefined): Leniency {
  const hooks = old === undefined ? [] : webhooksOf(old);
  const names = hooks.map((hook) => textAt(hook, 'name'));
  const given = webhooksOf(configuration);
  const isSame = (hook: JsonObject, index: number) =>
    equal(own(hook, 'matchConditions') ?? null, own(given[index] ?? {}, 'matchConditions') ?? null);
  const expressions = hooks
    .flatMap((hook) => (ownList(hook, 'matchConditions') ?? []).filter(isObject))
    .map((condition) => textAt(condition, 'expression'));
  return {
    sideEffects: hooks.some((hook) => !noSideEffects.includes(ownString(hook, 'sideEffects') ?? '')),
    reviewVersions: hooks.some((hook) => {
      const versions = stringList(own(hook, 'admissionReviewVersions'));
      return versions.length > 0 && !versions.some((one) => reviewVersions.includes(one));
    }),
    names: new Set(names).size < names.length,
    selectors: hooks.some((hook) => selectorErrors(hook, '').length > 0),
    matchConditions: old !== undefined && given.length === hooks.length && hooks.every(isSame),
    storedExpressions: new Set(expressions),
  };
}

function webhookErrors(hook: JsonObject, path: string, lenient: Leniency): FieldError[] {
  return [
    ...fullyQualifiedErrors(`${path}.name`, textAt(hook, 'name')),
    ...eachItem(`${path}.rules`, ownList(hook, 'rules'), ruleErrors),
    ...supported(`${path}.failurePolicy`, own(hook, 'failurePolicy'), failurePolicies),
    ...supported(`${path}.matchPolicy`, own(hook, 'matchPolicy'), matchPolicies),
    ...sideEffectsErrors(hook, `${path}.sideEffects`, lenient),
    ...timeoutErrors(hook, `${path}.timeoutSeconds`),
    ...(lenient.selectors ? [] : selectorErrors(hook, path)),
    ...supported(`${path}.reinvocationPolicy`, own(hook, 'reinvocationPolicy'), reinvocationPolicies),
    ...clientErrors(hook, path),
  ];
}

/** Source: apimachinery, util/validation, IsFullyQualifiedName. */
function fullyQualifiedErrors(path: string, name: string): FieldError[] {
  if (name === '') return [required(path)];
  const wrong = checkDnsSubdomain(name);
  if (wrong.length > 0) return [invalid(path, name, wrong.join(','))];
  if (name.split('.').length >= 3) return [];
  return [invalid(path, name, 'should be a domain with at least three segments separated by dots')];
}

function sideEffectsErrors(hook: JsonObject, path: string, { sideEffects }: Leniency): FieldError[] {
  const allowed = sideEffects ? sideEffectClasses : noSideEffects;
  const given = own(hook, 'sideEffects') ?? null;
  if (given === null) return [required(path, `must specify one of ${allowed.join(', ')}`)];
  return allowed.some((one) => one === given) ? [] : [notSupported(path, given, allowed)];
}

function timeoutErrors(hook: JsonObject, path: string): FieldError[] {
  const seconds = own(hook, 'timeoutSeconds');
  if (typeof seconds !== 'number' || (seconds >= 1 && seconds <= 30)) return [];
  return [invalid(path, seconds, 'the timeout value must be between 1 and 30 seconds')];
}

function selectorErrors(hook: JsonObject, path: string): FieldError[] {
  return ['namespaceSelector', 'objectSelector'].flatMap((field) =>
    labelSelectorErrors(`${path}.${field}`, ownObject(hook, field)),
  );
}

function clientErrors(hook: JsonObject, path: string): FieldError[] {
  const config = ownObject(hook, 'clientConfig') ?? {};
  return webhookAddressErrors(config, FieldPath.of(`${path}.clientConfig`));
}

function conditionsErrors(
  hook: JsonObject,
  path: string,
  lenient: Leniency,
  environments: RuleEnvironments,
): FieldError[] {
  if (lenient.matchConditions) return [];
  return matchConditionsErrors(hook, path, {
    environments,
    params: false,
    stored: lenient.storedExpressions,
  });
}

function reviewVersionsErrors(hook: JsonObject, path: string, lenient: Leniency): FieldError[] {
  const versions = stringList(own(hook, 'admissionReviewVersions'));
  if (versions.length === 0) return [required(path, `must specify one of ${reviewVersions.join(', ')}`)];
  const seen = new Set<string>();
  const each = versions.flatMap((version, index) => {
    const at = `${path}[${index}]`;
    if (seen.has(version)) return [invalid(at, version, 'duplicate version')];
    seen.add(version);
    return invalidAs(at, version, checkDns1035Label);
  });
  const isKnown = lenient.reviewVersions || versions.some((one) => reviewVersions.includes(one));
  if (isKnown) return each;
  return [...each, invalid(path, versions, `must include at least one of ${reviewVersions.join(', ')}`)];
}

const staticSuffix = '.static.k8s.io';

/** Upstream keeps names of this ending for configurations that come as files. */
export function staticNameWarnings(object: KubeObject): string[] {
  if (!nameOf(object).endsWith(staticSuffix)) return [];
  return [
    `metadata.name: names ending with "${staticSuffix}" are reserved for static manifest-based configurations and ` +
      'cannot be managed via the API',
  ];
}
