import { type KubeObject, labelSelectorFromObject } from '../../meta/index.ts';
import type { AdmissionScope } from '../attributes.ts';
import type { AdmissionPlugin } from '../chain.ts';
import type { PluginParts } from '../plugin-parts.ts';
import { counterOf } from '../quota/quota-counters.ts';
import { QuotaReservations } from '../quota/quota-reservations.ts';
import type { QuotaCounter } from '../quota/quota-counter.ts';

/** Refuses writes that exceed the ResourceQuotas of their namespace, and adds the others to the used amounts. */
export function resourceQuota({
  configurations,
  limitedResources,
  params,
  writes,
}: PluginParts): AdmissionPlugin {
  const { resourceQuotas } = configurations;
  const everything = labelSelectorFromObject({});
  const list = (namespace: string) =>
    params('v1', 'ResourceQuota')?.list(namespace, everything, undefined) ?? Promise.resolve([]);
  const access = { list, updateStatus: (quota: KubeObject) => writes.updateQuotaStatus(quota) };
  const reservations = new QuotaReservations(access, limitedResources);
  const isUsed = () => limitedResources.length > 0 || resourceQuotas.current().length > 0;
  return {
    name: 'ResourceQuota',
    handles: (scope) => isUsed() && counterFor(scope) !== undefined,
    async validate(attributes) {
      const counter = counterFor(attributes);
      if (attributes.namespace !== '' && counter !== undefined)
        await reservations.reserve(attributes, counter);
    },
  };
}

function counterFor(scope: AdmissionScope): QuotaCounter | undefined {
  const { operation, resource } = scope;
  if (operation !== 'CREATE' && operation !== 'UPDATE') return undefined;
  if (resource.group === '' && resource.resource === 'namespaces') return undefined;
  const counter = counterOf(resource);
  return counter?.handles(scope) === true ? counter : undefined;
}
