import { webhookClientConfigOf } from '../../crd/index.ts';
import {
  isObject,
  type JsonObject,
  type KubeObject,
  nameOf,
  own,
  ownList,
  ownObject,
  ownString,
  stringList,
} from '../../meta/index.ts';
import type { RuleEnvironments } from '../../schema/index.ts';
import type { AdmissionConnection, AdmissionConnector } from '../../webhook/index.ts';
import type { AdmissionPhase } from '../admission-record.ts';
import { MatchConditions } from '../expressions/match-conditions.ts';
import { type Rule, ruleOf } from '../matching/rules.ts';
import { type Selectors, selectorsOf } from '../matching/selectors.ts';

/** An admission webhook, ready to be asked. */
export interface Webhook {
  /** Tells it apart from all others of its phase. */
  readonly uid: string;
  readonly name: string;
  readonly configuration: string;
  readonly rules: readonly Rule[];
  readonly selectors: Selectors;
  /** True if its rules match objects in equivalent versions. */
  readonly matchesEquivalent: boolean;
  readonly conditions: MatchConditions;
  readonly failsOpen: boolean;
  /** True where a dry run may call it. */
  readonly allowsDryRun: boolean;
  /** The version of AdmissionReview that it is sent; undefined where it speaks none of ours. */
  readonly reviewVersion: 'v1' | 'v1beta1' | undefined;
  readonly isReinvoked: boolean;
  readonly connection: AdmissionConnection;
}

interface WebhookParts {
  /** Which webhooks they are. */
  readonly phase: AdmissionPhase;
  readonly connector: AdmissionConnector;
  readonly environments: RuleEnvironments;
}

/** The webhooks of a configuration, in its order. */
export function webhooksOf(configuration: KubeObject, parts: WebhookParts): readonly Webhook[] {
  const counts = new Map<string, number>();
  return (ownList(configuration, 'webhooks') ?? []).filter(isObject).map((hook) => {
    const name = ownString(hook, 'name') ?? '';
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    const uid = `${nameOf(configuration)}/${name}/${count}`;
    return webhookOf(hook, { uid, name, configuration: nameOf(configuration) }, parts);
  });
}

function webhookOf(
  hook: JsonObject,
  identity: Pick<Webhook, 'uid' | 'name' | 'configuration'>,
  { phase, connector, environments }: WebhookParts,
): Webhook {
  const sideEffects = ownString(hook, 'sideEffects') ?? '';
  const versions = stringList(own(hook, 'admissionReviewVersions'));
  const config = webhookClientConfigOf(ownObject(hook, 'clientConfig') ?? {});
  const seconds = own(hook, 'timeoutSeconds');
  const failsOpen = ownString(hook, 'failurePolicy') === 'Ignore';
  const owner = { of: 'webhook', name: identity.name, phase, failsOpen } as const;
  return Object.freeze({
    ...identity,
    rules: (ownList(hook, 'rules') ?? []).filter(isObject).map(ruleOf),
    selectors: selectorsOf(hook),
    matchesEquivalent: ownString(hook, 'matchPolicy') === 'Equivalent',
    conditions: new MatchConditions(hook, { environments, owner }),
    failsOpen,
    allowsDryRun: sideEffects === 'None' || sideEffects === 'NoneOnDryRun',
    reviewVersion: versions.find((one) => one === 'v1' || one === 'v1beta1'),
    isReinvoked: ownString(hook, 'reinvocationPolicy') === 'IfNeeded',
    connection: connector.connect(config, (typeof seconds === 'number' ? seconds : 10) * 1000),
  });
}
