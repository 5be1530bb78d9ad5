import {
  checkDnsLabel,
  duplicate,
  type FieldError,
  invalid,
  isObject,
  type JsonObject,
  type JsonValue,
  notSupported,
  own,
  ownList,
  ownObject,
  ownString,
  required,
} from '../../meta/index.ts';

/** What all pods and pod templates have in common. Source: kubernetes, pkg/apis/core/v1/defaults.go and validation. */

const containerLists = ['initContainers', 'containers'] as const;

/** Fills in what hangs on other fields; the rest are defaults of the schema. */
export function completePodSpec(spec: JsonObject | undefined): void {
  if (spec === undefined) return;
  for (const list of containerLists) {
    for (const container of ownList(spec, list) ?? []) if (isObject(container)) completeContainer(container);
  }
  const account = own(spec, 'serviceAccountName') ?? own(spec, 'serviceAccount');
  if (account === undefined) return;
  spec['serviceAccountName'] ??= account;
  spec['serviceAccount'] = spec['serviceAccountName'] ?? account;
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

/** `latest`, said or unsaid, is pulled anew each time. */
function pullPolicy(image: string): string {
  if (image.includes('@')) return 'IfNotPresent';
  const [, tag = 'latest'] = image.slice(image.lastIndexOf('/') + 1).split(':');
  return tag === 'latest' ? 'Always' : 'IfNotPresent';
}

const restartPolicies = ['Always', 'OnFailure', 'Never'];

/** The mistakes that tests notice: containers and their names and images, volumes, the restart policy. */
export function podSpecErrors(path: string, spec: JsonObject): FieldError[] {
  const names = new Set<string>();
  const containers = ownList(spec, 'containers') ?? [];
  return [
    ...namedItemsErrors(`${path}.volumes`, ownList(spec, 'volumes') ?? [], new Set()),
    ...(containers.length === 0 ? [required(`${path}.containers`)] : []),
    ...containersErrors(`${path}.containers`, containers, names),
    ...containersErrors(`${path}.initContainers`, ownList(spec, 'initContainers') ?? [], names),
    ...restartPolicyErrors(`${path}.restartPolicy`, own(spec, 'restartPolicy')),
  ];
}

function restartPolicyErrors(path: string, policy: JsonValue | undefined): FieldError[] {
  if (policy === undefined || policy === '') return [required(path)];
  return restartPolicies.some((one) => one === policy) ? [] : [notSupported(path, policy, restartPolicies)];
}

function containersErrors(path: string, containers: readonly JsonValue[], names: Set<string>): FieldError[] {
  return containers.flatMap((container, index) => {
    if (!isObject(container)) return [];
    const image = ownString(container, 'image') ?? '';
    const missing = image === '' ? [required(`${path}[${index}].image`)] : [];
    return [...nameErrors(`${path}[${index}].name`, container, names), ...missing];
  });
}

function namedItemsErrors(path: string, items: readonly JsonValue[], names: Set<string>): FieldError[] {
  return items.flatMap((item, index) =>
    isObject(item) ? nameErrors(`${path}[${index}].name`, item, names) : [],
  );
}

function nameErrors(path: string, item: JsonObject, names: Set<string>): FieldError[] {
  const name = ownString(item, 'name') ?? '';
  if (name === '') return [required(path)];
  if (names.has(name)) return [duplicate(path, name)];
  names.add(name);
  return checkDnsLabel(name).map((text) => invalid(path, name, text));
}
