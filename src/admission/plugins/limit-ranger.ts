import { type KubeObject, labelSelectorFromObject, nameOf, own, ownObject } from '../../meta/index.ts';
import type { AdmissionAttributes, AdmissionScope } from '../attributes.ts';
import type { AdmissionPlugin } from '../chain.ts';
import { limitErrors } from '../limits/check-limits.ts';
import { completeContainers } from '../limits/complete-containers.ts';
import type { PluginParts } from '../plugin-parts.ts';
import { forbiddenWrite } from '../forbidden-write.ts';

/** Gives containers the defaults of the LimitRanges of their namespace, and refuses pods and claims that break them. */
export function limitRanger({ configurations, params }: PluginParts): AdmissionPlugin {
  const { limitRanges } = configurations;
  const everything = labelSelectorFromObject({});
  const rangesFor = async ({ namespace, oldObject }: AdmissionAttributes): Promise<KubeObject[]> => {
    // What is on its way out is left alone.
    if (own(ownObject(oldObject ?? {}, 'metadata') ?? {}, 'deletionTimestamp') !== undefined) return [];
    const ranges = await params('v1', 'LimitRange')?.list(namespace, everything, undefined);
    return [...(ranges ?? [])].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  };
  return {
    name: 'LimitRanger',
    handles: (scope) => limitRanges.current().length > 0 && isLimited(scope),

    async admit(attributes) {
      if (attributes.resource.resource !== 'pods') return;
      for (const range of await rangesFor(attributes)) {
        const { object } = attributes;
        if (object === undefined) return;
        const complete = completeContainers(range, object);
        if (complete !== object) attributes.replaceObject(complete);
      }
    },

    async validate(attributes) {
      const { object, resource } = attributes;
      if (object === undefined) return;
      for (const range of await rangesFor(attributes)) {
        const errors = [...new Set(limitErrors(range, resource.resource, object))];
        if (errors.length === 0) continue;
        const why = errors.length === 1 ? errors.join('') : `[${errors.join(', ')}]`;
        throw forbiddenWrite(attributes, why);
      }
    },
  };
}

/** The containers of a pod change their resources only by `resize`, and claims may grow. */
function isLimited({ operation, resource, subresource }: AdmissionScope): boolean {
  if (resource.group !== '') return false;
  if (resource.resource === 'pods' && subresource === 'resize') return operation === 'UPDATE';
  if (subresource !== '') return false;
  if (resource.resource === 'pods') return operation === 'CREATE';
  return resource.resource === 'persistentvolumeclaims' && (operation === 'CREATE' || operation === 'UPDATE');
}
