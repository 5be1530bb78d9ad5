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
import { eachIn, eachItem, invalidAs, textAt } from '../rules/field-checks.ts';
import { type ItemRule, itemRuleErrors } from '../rules/field-rules.ts';
import { matchConditionsErrors } from './expression-checks.ts';
import {
  failurePolicies,
  matchPolicies,
  reinvocationPolicies,
  ruleErrors,
  selector,
} from './validate-rules.ts';

/** The supported versions of AdmissionReview, preferred first. */
const reviewVersions = ['v1', 'v1beta1'];
const sideEffectClasses = ['None', 'NoneOnDryRun', 'Some', 'Unknown'];
const noSideEffects = ['None', 'NoneOnDryRun'];

/** The rules that do not apply to an update, because the stored object violates them already. */
interface Leniency {
  readonly sideEffects: boolean;
  readonly reviewVersions: boolean;
  readonly names: boolean;
  readonly selectors: boolean;
  readonly matchConditions: boolean;
  readonly storedExpressions: ReadonlySet<string>;
}

/** The errors of a webhook configuration, of either kind. */
export function webhookConfigurationErrors(
  configuration: KubeObject,
  old: KubeObject | undefined,
  environments: RuleEnvironments,
): FieldError[] {
  const lenient = leniencyOf(configuration, old);
  const rules = rulesOf(lenient);
  const names = new Set<string>();
  return eachItem('webhooks', ownList(configuration, 'webhooks'), (hook, path) => {
    const name = textAt(hook, 'name');
    const isTwin = !lenient.names && name !== '' && names.has(name);
    names.add(name);
    return [
      ...itemRuleErrors(rules, hook, path),
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
    selectors: hooks.some((hook) => itemRuleErrors(selectorRules, hook, '').length > 0),
    matchConditions: old !== undefined && given.length === hooks.length && hooks.every(isSame),
    storedExpressions: new Set(expressions),
  };
}

const selectorRules: readonly ItemRule[] = [selector('namespaceSelector'), selector('objectSelector')];

const rulesOf = (lenient: Leniency): readonly ItemRule[] => [
  { path: 'name', required: true, check: checkFullyQualified },
  (hook, path) => eachIn(path, hook, 'rules', ruleErrors),
  { path: 'failurePolicy', oneOf: failurePolicies },
  { path: 'matchPolicy', oneOf: matchPolicies },
  (hook, path) => sideEffectsErrors(hook, `${path}.sideEffects`, lenient),
  { path: 'timeoutSeconds', range: [1, 30], says: 'the timeout value must be between 1 and 30 seconds' },
  ...(lenient.selectors ? [] : selectorRules),
  { path: 'reinvocationPolicy', oneOf: reinvocationPolicies },
  (hook, path) =>
    webhookAddressErrors(ownObject(hook, 'clientConfig') ?? {}, FieldPath.of(`${path}.clientConfig`)),
];

/** Source: apimachinery, util/validation, IsFullyQualifiedName. */
function checkFullyQualified(name: string): string[] {
  const wrong = checkDnsSubdomain(name);
  if (wrong.length > 0) return [wrong.join(',')];
  return name.split('.').length >= 3
    ? []
    : ['should be a domain with at least three segments separated by dots'];
}

function sideEffectsErrors(hook: JsonObject, path: string, { sideEffects }: Leniency): FieldError[] {
  const allowed = sideEffects ? sideEffectClasses : noSideEffects;
  const given = own(hook, 'sideEffects') ?? null;
  if (given === null) return [required(path, `must specify one of ${allowed.join(', ')}`)];
  return allowed.some((one) => one === given) ? [] : [notSupported(path, given, allowed)];
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

/** Upstream reserves names with this suffix for configurations in files. */
export function staticNameWarnings(object: KubeObject): string[] {
  if (!nameOf(object).endsWith(staticSuffix)) return [];
  return [
    `metadata.name: names ending with "${staticSuffix}" are reserved for static manifest-based configurations and ` +
      'cannot be managed via the API',
  ];
}
