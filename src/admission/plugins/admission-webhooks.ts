import type { AdmissionPhase } from '../admission-record.ts';
import type { AdmissionScope } from '../attributes.ts';
import type { AdmissionPlugin } from '../chain.ts';
import { ByScope, Configurations, type ConfigurationSource } from '../configurations.ts';
import { isConfiguration, mayMatchRule } from '../matching/rules.ts';
import type { PluginParts } from '../plugin-parts.ts';
import { type DispatchParts, dispatchMutating } from '../webhook/mutating-dispatcher.ts';
import { dispatchValidating } from '../webhook/validating-dispatcher.ts';
import { type Webhook, webhooksOf } from '../webhook/webhook.ts';

/** Calls the webhooks of MutatingWebhookConfigurations. */
export function mutatingAdmissionWebhook(parts: PluginParts): AdmissionPlugin {
  const webhooks = new LiveWebhooks(parts.configurations.mutatingWebhooks, 'admit', parts);
  return {
    name: 'MutatingAdmissionWebhook',
    handles: (scope) => webhooks.handle(scope),
    admit: (attributes) => dispatchMutating(webhooks.current(), attributes, dispatchParts(parts)),
  };
}

/** Calls the webhooks of ValidatingWebhookConfigurations. */
export function validatingAdmissionWebhook(parts: PluginParts): AdmissionPlugin {
  const webhooks = new LiveWebhooks(parts.configurations.validatingWebhooks, 'validate', parts);
  return {
    name: 'ValidatingAdmissionWebhook',
    handles: (scope) => webhooks.handle(scope),
    validate: (attributes) => dispatchValidating(webhooks.current(), attributes, dispatchParts(parts)),
  };
}

function dispatchParts({ findNamespace, authorizer, newUid }: PluginParts): DispatchParts {
  return { findNamespace, authorizer, newUid };
}

/** The webhooks of the current configurations. */
class LiveWebhooks {
  readonly #configurations: Configurations<readonly Webhook[]>;
  readonly #scopes = new ByScope<boolean>();
  #listed: unknown;
  #webhooks: readonly Webhook[] = [];

  constructor(source: ConfigurationSource, phase: AdmissionPhase, { connector, environments }: PluginParts) {
    this.#configurations = new Configurations(
      source,
      (configuration) => webhooksOf(configuration, { phase, connector, environments }),
      {
        retire: (webhooks) => {
          for (const { connection } of webhooks) connection.retire();
        },
      },
    );
  }

  /** Ordered by configuration name, and as in the configuration. */
  current(): readonly Webhook[] {
    const configurations = this.#configurations.current();
    if (configurations !== this.#listed) {
      this.#listed = configurations;
      this.#webhooks = configurations.flat();
    }
    return this.#webhooks;
  }

  handle(scope: AdmissionScope): boolean {
    const configurations = this.#configurations.current();
    if (configurations.length === 0) return false;
    return this.#scopes.of(configurations, scope, () => {
      if (isConfiguration(scope)) return false;
      return configurations.some((webhooks) =>
        webhooks.some(({ rules }) => rules.some((rule) => mayMatchRule(rule, scope))),
      );
    });
  }
}
