import {
  goQuote,
  isObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  own,
  ownList,
  ownObject,
} from '../../meta/index.ts';
import type { AdmissionAttributes } from '../attributes.ts';
import type { AdmissionPlugin } from '../chain.ts';
import { forbiddenWrite } from '../forbidden-write.ts';
import type { PluginParts } from '../plugin-parts.ts';
import { compareQuantities } from '../resources/quantity.ts';
import { resourceListOf } from '../resources/resource-list.ts';
import { mergeTolerations } from '../scheduling/merge-tolerations.ts';

/**
 * Gives new pods the overhead and the scheduling constraints of their RuntimeClass.
 * Source: kubernetes, plugin/pkg/admission/runtimeclass.
 */
export function runtimeClass({ params }: Pick<PluginParts, 'params'>): AdmissionPlugin {
  const classOf = async (attributes: AdmissionAttributes, pod: KubeObject) => {
    const name = own(specOf(pod), 'runtimeClassName') ?? undefined;
    if (typeof name !== 'string') return undefined;
    const found = await params('node.k8s.io/v1', 'RuntimeClass')?.find('', name, attributes.minRevision);
    if (found !== undefined || attributes.isRestored) return found;
    throw forbiddenWrite(attributes, `pod rejected: RuntimeClass ${goQuote(name)} not found`);
  };
  return {
    name: 'RuntimeClass',
    handles: ({ operation, resource, subresource }) =>
      operation === 'CREATE' && subresource === '' && resource.resource === 'pods' && resource.group === '',
    async admit(attributes) {
      const { object } = attributes;
      const runtime = object && (await classOf(attributes, object));
      if (object === undefined || runtime === undefined) return;
      // A restored pod keeps what it was given, even if its class has changed.
      if (attributes.isRestored) return;
      const spec = withScheduling(attributes, withOverhead(attributes, specOf(object), runtime), runtime);
      attributes.replaceObject({ ...object, spec });
    },
    async validate(attributes) {
      const { object } = attributes;
      if (object !== undefined && !attributes.isRestored)
        checkOverhead(attributes, object, await classOf(attributes, object));
    },
  };
}

const specOf = (pod: KubeObject): JsonObject => ownObject(pod, 'spec') ?? {};
const otherOverhead = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";
const overheadAlone = 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead';

/** The amounts of a class; undefined if it has no overhead. */
function podFixedOf(runtime: KubeObject | undefined): JsonObject | undefined {
  const overhead = ownObject(runtime ?? {}, 'overhead');
  return overhead && (ownObject(overhead, 'podFixed') ?? {});
}

function withOverhead(attributes: AdmissionAttributes, spec: JsonObject, runtime: KubeObject): JsonObject {
  const podFixed = podFixedOf(runtime);
  if (podFixed === undefined) return spec;
  const given = ownObject(spec, 'overhead') ?? {};
  if (Object.keys(given).length > 0 && !isSameOverhead(podFixed, given)) {
    throw forbiddenWrite(attributes, otherOverhead);
  }
  return { ...spec, overhead: podFixed };
}

function checkOverhead(
  attributes: AdmissionAttributes,
  pod: KubeObject,
  runtime: KubeObject | undefined,
): void {
  const [podFixed, given] = [podFixedOf(runtime), ownObject(specOf(pod), 'overhead')];
  if (podFixed === undefined) {
    if (given !== undefined) throw forbiddenWrite(attributes, overheadAlone);
  } else if (!isSameOverhead(podFixed, given ?? {})) {
    throw forbiddenWrite(attributes, otherOverhead);
  }
}

function isSameOverhead(first: JsonObject, second: JsonObject): boolean {
  const [one, other] = [resourceListOf(first), resourceListOf(second)];
  if (one.size !== other.size) return false;
  return [...one].every(([name, amount]) => {
    const same = other.get(name);
    return same !== undefined && compareQuantities(amount, same) === 0;
  });
}

function withScheduling(attributes: AdmissionAttributes, spec: JsonObject, runtime: KubeObject): JsonObject {
  const scheduling = ownObject(runtime, 'scheduling');
  if (scheduling === undefined) return spec;
  const nodeSelector = mergedSelector(attributes, spec, ownObject(scheduling, 'nodeSelector') ?? {});
  const tolerations = mergeTolerations(objectsOf(spec), objectsOf(scheduling));
  return {
    ...spec,
    ...(nodeSelector === undefined ? {} : { nodeSelector }),
    ...(tolerations.length === 0 ? {} : { tolerations }),
  };
}

function objectsOf(owner: JsonObject): JsonObject[] {
  return (ownList(owner, 'tolerations') ?? []).filter(isObject);
}

function mergedSelector(
  attributes: AdmissionAttributes,
  spec: JsonObject,
  ofClass: JsonObject,
): JsonObject | undefined {
  const given = ownObject(spec, 'nodeSelector');
  if (given === undefined) return Object.keys(ofClass).length === 0 ? undefined : ofClass;
  for (const [key, wanted] of Object.entries(ofClass)) {
    const value: JsonValue | undefined = own(given, key);
    if (value === undefined || value === wanted) continue;
    const why = `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${wanted}; pod.spec.nodeSelector[${key}] = ${value}`;
    throw forbiddenWrite(attributes, why);
  }
  return { ...given, ...ofClass };
}
