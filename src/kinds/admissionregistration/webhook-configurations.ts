import { ownList } from '../../meta/index.ts';
import type { RuleEnvironments } from '../../schema/index.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { registrationStrategy } from './registration-strategy.ts';
import { webhookConfigurationErrors } from './webhook-configuration-rules.ts';

/** MutatingWebhookConfiguration and ValidatingWebhookConfiguration. */
export function webhookConfigurationKinds(environments: RuleEnvironments): readonly BuiltInKind[] {
  return (['Mutating', 'Validating'] as const).map((phase) => ({
    strategy: registrationStrategy({
      counted: 'webhooks',
      errors: (object, old) => webhookConfigurationErrors(object, old, environments),
    }),
    type: builtInType({
      group: 'admissionregistration.k8s.io',
      version: 'v1',
      kind: `${phase}WebhookConfiguration`,
      resource: `${phase.toLowerCase()}webhookconfigurations`,
      namespaced: false,
      categories: ['api-extensions'],
      columns: [
        column('Webhooks', '', {
          type: 'integer',
          read: (configuration) => (ownList(configuration, 'webhooks') ?? []).length,
          description: 'Webhooks indicates the number of webhooks registered in this configuration',
        }),
        ageColumn,
      ],
    }),
  }));
}
