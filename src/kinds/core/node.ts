import { isObject, type KubeObject, metadataOf, own, ownList, ownObject } from '../../meta/index.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';
import { specOf, statusOf } from '../rules/workload.ts';
import { completeNode, nodeErrors } from './validate-node.ts';

const rolePrefix = 'node-role.kubernetes.io/';

function rolesCell(node: KubeObject): string {
  const labels = Object.keys(ownObject(metadataOf(node), 'labels') ?? {});
  const roles = labels.filter((key) => key.startsWith(rolePrefix) && key.length > rolePrefix.length);
  return roles.length === 0
    ? '<none>'
    : roles
        .map((key) => key.slice(rolePrefix.length))
        .sort()
        .join(',');
}

function statusCell(node: KubeObject): string {
  const ready = (ownList(statusOf(node), 'conditions') ?? []).find(
    (one) => isObject(one) && own(one, 'type') === 'Ready',
  );
  const state = !isObject(ready) ? 'Unknown' : own(ready, 'status') === 'True' ? 'Ready' : 'NotReady';
  return own(specOf(node), 'unschedulable') === true ? `${state},SchedulingDisabled` : state;
}

/** A plain object: clients create it and write its status. */
export const nodeKind: BuiltInKind = {
  strategy: ruledStrategy({ takesStatus: true, rules: [nodeErrors] }),
  type: builtInType({
    group: '',
    version: 'v1',
    kind: 'Node',
    resource: 'nodes',
    namespaced: false,
    shortNames: ['no'],
    status: true,
    complete: completeNode,
    selectableFields: [
      {
        fieldPath: 'spec.unschedulable',
        valueType: 'boolean',
        read: (node) => String(own(specOf(node), 'unschedulable') === true),
        default: 'false',
      },
    ],
    columns: [
      column('Status', '', { read: statusCell, description: 'Whether the node is ready.' }),
      column('Roles', '', { read: rolesCell, description: 'The roles in its labels.' }),
      ageColumn,
      column('Version', '.status.nodeInfo.kubeletVersion', { description: 'The version of its kubelet.' }),
    ],
  }),
};
