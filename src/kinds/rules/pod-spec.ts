import {
  checkDnsLabel,
  checkDnsSubdomain,
  type FieldError,
  invalid,
  isObject,
  type JsonObject,
  own,
  ownList,
  ownObject,
  ownString,
  stringList,
} from '../../meta/index.ts';
import { containersErrors, initContainersErrors } from './validate-container.ts';
import { ephemeralContainersErrors } from './validate-ephemeral-containers.ts';
import { imageTag } from './image-name.ts';
import { eachIn, invalidAs, numberAt, oneOf, supported, textAt, within } from './field-checks.ts';
import { labelsErrors } from './validate-label-selector.ts';
import { schedulingErrors } from './validate-pod-scheduling.ts';
import { hasSource, volumesOf } from './validate-pod-volumes.ts';
import { addressErrors } from './validate-address.ts';
import { podDnsErrors } from './validate-pod-dns.ts';
import { podSecurityErrors } from './validate-security-context.ts';

/** What all pods and pod templates have in common. Source: kubernetes, pkg/apis/core/v1/defaults.go and validation. */

const containerLists = ['initContainers', 'containers'] as const;
const allContainerLists = [...containerLists, 'ephemeralContainers'];

/** Fills in what hangs on other fields; the rest are defaults of the schema. */
export function completePodSpec(spec: JsonObject | undefined): void {
  if (spec === undefined) return;
  for (const volume of ownList(spec, 'volumes') ?? []) {
    if (isObject(volume) && !hasSource(volume)) volume['emptyDir'] = {};
  }
  if (own(spec, 'hostNetwork') === true) completeHostPorts(spec);
  for (const list of allContainerLists) {
    for (const container of ownList(spec, list) ?? []) if (isObject(container)) completeContainer(container);
  }
  const account = own(spec, 'serviceAccountName') ?? own(spec, 'serviceAccount');
  if (account === undefined) return;
  spec['serviceAccountName'] ??= account;
  spec['serviceAccount'] = spec['serviceAccountName'] ?? account;
}

/** In the network of the host, the ports of containers are those of the host. */
function completeHostPorts(spec: JsonObject): void {
  const containers = containerLists.flatMap((list) => ownList(spec, list) ?? []).filter(isObject);
  const ports = containers.flatMap((container) => ownList(container, 'ports') ?? []).filter(isObject);
  for (const port of ports) port['hostPort'] ??= own(port, 'containerPort') ?? 0;
}

function completeContainer(container: JsonObject): void {
  if ((ownString(container, 'imagePullPolicy') ?? '') === '') {
    container['imagePullPolicy'] = pullPolicy(ownString(container, 'image') ?? '');
  }
  const { limits, requests } = ownObject(container, 'resources') ?? {};
  const resources = own(container, 'resources');
  if (!isObject(limits) || !isObject(resources)) return;
  resources['requests'] = { ...limits, ...(isObject(requests) ? requests : {}) };
}

/** Without a tag, the tag is `latest`. */
function pullPolicy(image: string): string {
  return imageTag(image) === 'latest' ? 'Always' : 'IfNotPresent';
}

const restartPolicies = ['Always', 'OnFailure', 'Never'];
const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];
const deadlineMax = 2_147_483_647;

/** Source: kubernetes, pkg/apis/core/validation, ValidatePodSpec, which has the order. */
export function podSpecErrors(path: string, spec: JsonObject): FieldError[] {
  const { volumes, errors } = volumesOf(path, spec);
  return [
    ...errors,
    ...containersErrors(path, spec, volumes),
    ...initContainersErrors(path, spec, volumes),
    ...ephemeralContainersErrors(path, spec, volumes),
    ...hostNetworkErrors(path, spec),
    ...oneOf(`${path}.restartPolicy`, own(spec, 'restartPolicy'), restartPolicies),
    ...oneOf(`${path}.dnsPolicy`, own(spec, 'dnsPolicy'), dnsPolicies),
    ...labelsErrors(`${path}.nodeSelector`, ownObject(spec, 'nodeSelector')),
    ...podSecurityErrors(ownObject(spec, 'securityContext') ?? {}, `${path}.securityContext`),
    ...podDnsErrors(spec, `${path}.dnsConfig`),
    ...schedulingErrors(spec, path),
    ...namesErrors(path, spec),
    ...deadlineErrors(path, spec),
    ...hostAliasErrors(path, spec),
    ...supported(`${path}.preemptionPolicy`, own(spec, 'preemptionPolicy'), [
      'PreemptLowerPriority',
      'Never',
    ]),
    ...operatingSystemErrors(path, spec),
  ];
}

function hostNetworkErrors(path: string, spec: JsonObject): FieldError[] {
  if (own(spec, 'hostNetwork') !== true) return [];
  return containerLists.flatMap((list) =>
    eachIn(path, spec, list, (container, at) =>
      eachIn(at, container, 'ports', (port, where) => {
        const [host, inside] = [numberAt(port, 'hostPort'), numberAt(port, 'containerPort')];
        if (host === inside) return [];
        const why = 'must match `containerPort` when `hostNetwork` is true';
        return [invalid(`${where}.hostPort`, host ?? 0, why)];
      }),
    ),
  );
}

/** Names must be valid, if present. */
const names: readonly { readonly field: string; readonly check: (name: string) => string[] }[] = [
  { field: 'serviceAccountName', check: checkDnsSubdomain },
  { field: 'nodeName', check: checkDnsSubdomain },
  { field: 'hostname', check: checkDnsLabel },
  { field: 'subdomain', check: checkDnsLabel },
  { field: 'priorityClassName', check: checkDnsSubdomain },
  { field: 'runtimeClassName', check: checkDnsSubdomain },
];

function namesErrors(path: string, spec: JsonObject): FieldError[] {
  return names.flatMap(({ field, check }) => {
    const name = textAt(spec, field);
    return name === '' ? [] : invalidAs(`${path}.${field}`, name, check);
  });
}

function deadlineErrors(path: string, spec: JsonObject): FieldError[] {
  const deadline = numberAt(spec, 'activeDeadlineSeconds');
  return deadline === undefined ? [] : within(`${path}.activeDeadlineSeconds`, deadline, 1, deadlineMax);
}

function hostAliasErrors(path: string, spec: JsonObject): FieldError[] {
  return eachIn(path, spec, 'hostAliases', (alias, at) => {
    const ip = textAt(alias, 'ip');
    return [
      ...addressErrors(`${at}.ip`, ip),
      ...stringList(own(alias, 'hostnames')).flatMap((name, index) =>
        invalidAs(`${at}.hostnames[${index}]`, name, checkDnsSubdomain),
      ),
    ];
  });
}

function operatingSystemErrors(path: string, spec: JsonObject): FieldError[] {
  const system = ownObject(spec, 'os');
  if (system === undefined) return [];
  return oneOf(`${path}.os`, own(system, 'name'), ['linux', 'windows']);
}
