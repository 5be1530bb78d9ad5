import {
  isObject,
  type JsonObject,
  type KubeObject,
  nameOf,
  own,
  ownList,
  ownObject,
  ownString,
} from '../../meta/index.ts';
import type { ClusterView } from './cluster-view.ts';
import { isUnschedulable } from './course.ts';
import { isDeleted, labelsOf, objectsIn, specOf } from './fields.ts';
import { isReady } from './nodes.ts';
import { nodes, pods } from './resources.ts';

const schedulerName = 'default-scheduler';

/** Whether a pod waits for the scheduler that is simulated. */
export function isToBind(pod: KubeObject): boolean {
  const spec = specOf(pod);
  const scheduler = ownString(spec, 'schedulerName') ?? schedulerName;
  const isBound = (ownString(spec, 'nodeName') ?? '') !== '';
  return (
    !isBound &&
    !isDeleted(pod) &&
    scheduler === schedulerName &&
    objectsIn(spec, 'schedulingGates').length === 0
  );
}

/** The node that takes a pod with the fewest pods, the first by name among equals; undefined where none takes it. */
export function nodeFor(pod: KubeObject, view: ClusterView): string | undefined {
  if (isUnschedulable(pod)) return undefined;
  const counts = new Map<string, number>();
  for (const one of view.all(pods)) {
    const node = ownString(specOf(one), 'nodeName') ?? '';
    counts.set(node, (counts.get(node) ?? 0) + 1);
  }
  const fitting = view.all(nodes).filter((node) => takesNew(node, specOf(pod)));
  const names = fitting.map(nameOf);
  return names.sort((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0) || (a < b ? -1 : 1))[0];
}

/** By readiness, cordons, taints and the node selector. Resources and affinities are ignored. */
function takesNew(node: KubeObject, pod: JsonObject): boolean {
  const isCordoned = own(specOf(node), 'unschedulable') === true;
  return isReady(node) && !isCordoned && fits(node, pod);
}

/** Whether a node matches a pod, regardless of its state: for daemons, which tolerate it. */
export function fits(node: KubeObject, pod: JsonObject): boolean {
  const selector = ownObject(pod, 'nodeSelector') ?? {};
  const labels = labelsOf(node);
  const isSelected = Object.entries(selector).every(([key, value]) => own(labels, key) === value);
  const taints = objectsIn(specOf(node), 'taints').filter(
    (taint) => own(taint, 'effect') !== 'PreferNoSchedule',
  );
  const tolerations = (ownList(pod, 'tolerations') ?? []).filter(isObject);
  return isSelected && taints.every((taint) => tolerations.some((one) => tolerates(one, taint)));
}

function tolerates(toleration: JsonObject, taint: JsonObject): boolean {
  const [effect, key] = [own(toleration, 'effect'), own(toleration, 'key')];
  if (effect !== undefined && effect !== '' && effect !== own(taint, 'effect')) return false;
  if (key !== undefined && key !== '' && key !== own(taint, 'key')) return false;
  if (own(toleration, 'operator') === 'Exists') return true;
  return key !== undefined && (own(toleration, 'value') ?? '') === (own(taint, 'value') ?? '');
}
