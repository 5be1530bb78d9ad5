import {
  checkDnsLabel,
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  isObject,
  type JsonObject,
  type JsonValue,
  own,
  ownList,
  ownObject,
  required,
} from '../../meta/index.ts';
import { eachIn, numberAt, oneOf, portErrors, requiredAs, textAt } from './field-checks.ts';
import { handlerErrors, probeErrors } from './validate-handler.ts';
import { deviceErrors, mountErrors, type Volumes } from './validate-pod-volumes.ts';
import { portNameTexts } from './port-name.ts';
import { resourcesErrors } from './validate-resources.ts';
import { containerSecurityErrors } from './validate-security-context.ts';
import { variableErrors } from './validate-variables.ts';

/** The containers of a pod. Source: kubernetes, pkg/apis/core/validation, validateContainers. */

const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;

export function containersErrors(path: string, spec: JsonObject, volumes: Volumes): FieldError[] {
  if ((ownList(spec, 'containers') ?? []).length === 0) return [required(`${path}.containers`)];
  const names = new Set<string>();
  const errors = eachIn(path, spec, 'containers', (container, at) => {
    const name = textAt(container, 'name');
    const isTaken = names.has(name);
    names.add(name);
    return [
      ...containerErrors(container, at, volumes),
      ...(isTaken ? [duplicate(`${at}.name`, name)] : []),
      ...hookErrors(container, at),
    ];
  });
  return [...errors, ...hostPortConflicts(path, spec)];
}

export function initContainersErrors(path: string, spec: JsonObject, volumes: Volumes): FieldError[] {
  const names = new Set(namesOf(spec));
  return eachIn(path, spec, 'initContainers', (container, at) => {
    const name = textAt(container, 'name');
    const isTaken = names.has(name);
    if (name !== '') names.add(name);
    return [
      ...containerErrors(container, at, volumes),
      ...restartErrors(container, at),
      ...(isTaken ? [duplicate(`${at}.name`, name)] : []),
      ...(own(container, 'restartPolicy') === 'Always' ? hookErrors(container, at) : noHooks(container, at)),
    ];
  });
}

const namesOf = (spec: JsonObject) =>
  (ownList(spec, 'containers') ?? []).filter(isObject).map((container) => textAt(container, 'name'));

function restartErrors(container: JsonObject, path: string): FieldError[] {
  const policy = own(container, 'restartPolicy');
  if (policy === undefined || ownList(container, 'restartPolicyRules') !== undefined) return [];
  return oneOf(`${path}.restartPolicy`, policy, ['Always', 'OnFailure', 'Never']);
}

function hookErrors(container: JsonObject, path: string): FieldError[] {
  const lifecycle = ownObject(container, 'lifecycle') ?? {};
  return [
    ...['postStart', 'preStop'].flatMap((field) => {
      const handler = ownObject(lifecycle, field);
      return handler === undefined ? [] : handlerErrors(handler, `${path}.lifecycle.${field}`);
    }),
    ...probes.flatMap((field) => {
      const probe = ownObject(container, field);
      return probe === undefined ? [] : probeErrors(probe, `${path}.${field}`, field);
    }),
  ];
}

/** Init containers that are not restarted cannot have probes and lifecycle handlers. */
function noHooks(container: JsonObject, path: string): FieldError[] {
  const why = 'may not be set for init containers without restartPolicy=Always';
  return ['lifecycle', ...probes]
    .filter((field) => own(container, field) !== undefined)
    .map((field) => forbidden(`${path}.${field}`, why));
}

export function containerErrors(container: JsonObject, path: string, volumes: Volumes): FieldError[] {
  const messages = ['File', 'FallbackToLogsOnError'];
  const security = ownObject(container, 'securityContext');
  return [
    ...requiredAs(`${path}.name`, textAt(container, 'name'), checkDnsLabel),
    ...imageErrors(`${path}.image`, textAt(container, 'image')),
    ...oneOf(`${path}.terminationMessagePolicy`, own(container, 'terminationMessagePolicy'), messages),
    ...containerPortsErrors(container, path),
    ...variableErrors(container, path),
    ...mountErrors(container, path, volumes),
    ...deviceErrors(container, path, volumes),
    ...oneOf(`${path}.imagePullPolicy`, own(container, 'imagePullPolicy'), [
      'Always',
      'IfNotPresent',
      'Never',
    ]),
    ...resourcesErrors(ownObject(container, 'resources') ?? {}, `${path}.resources`),
    ...(security === undefined ? [] : containerSecurityErrors(security, `${path}.securityContext`)),
  ];
}

function imageErrors(path: string, image: string): FieldError[] {
  if (image === '') return [required(path)];
  const isPadded = image !== image.trim();
  return isPadded ? [invalid(path, image, 'must not have leading or trailing whitespace')] : [];
}

const protocols = ['SCTP', 'TCP', 'UDP'];

function containerPortsErrors(container: JsonObject, path: string): FieldError[] {
  const names = new Set<string>();
  return eachIn(path, container, 'ports', (port, at) => {
    const [number, host] = [numberAt(port, 'containerPort') ?? 0, numberAt(port, 'hostPort') ?? 0];
    return [
      ...portNameErrors(`${at}.name`, textAt(port, 'name'), names),
      ...(number === 0 ? [required(`${at}.containerPort`)] : portErrors(`${at}.containerPort`, number)),
      ...(host === 0 ? [] : portErrors(`${at}.hostPort`, host)),
      ...oneOf(`${at}.protocol`, own(port, 'protocol'), protocols),
    ];
  });
}

function portNameErrors(path: string, name: string, others: Set<string>): FieldError[] {
  if (name === '') return [];
  const wrong = portNameTexts(name).map((text) => invalid(path, name, text));
  if (wrong.length > 0) return wrong;
  if (others.has(name)) return [duplicate(path, name)];
  others.add(name);
  return [];
}

/** No two ports can be the same one of the host. */
function hostPortConflicts(path: string, spec: JsonObject): FieldError[] {
  const taken = new Set<string>();
  return eachIn(path, spec, 'containers', (container, at) =>
    eachIn(at, container, 'ports', (port, where) => {
      const host = numberAt(port, 'hostPort') ?? 0;
      if (host === 0) return [];
      const place = `${textAt(port, 'protocol')}/${textAt(port, 'hostIP')}/${host}`;
      if (taken.has(place)) return [duplicate(`${where}.hostPort`, place)];
      taken.add(place);
      return [];
    }),
  );
}

/** Duplicates that are allowed with a warning. Source: kubernetes, pkg/api/pod/warnings.go. */
export function containerWarnings(path: string, spec: JsonObject): string[] {
  return ['initContainers', 'containers'].flatMap((list) =>
    (ownList(spec, list) ?? []).flatMap((container, index) =>
      isObject(container) ? twinWarnings(container, `${path}.${list}[${index}]`) : [],
    ),
  );
}

function twinWarnings(container: JsonObject, path: string): string[] {
  return [...portTwins(container, path), ...variableTwins(container, path)];
}

function portTwins(container: JsonObject, path: string): string[] {
  const first = new Map<string, number>();
  const of = (port: JsonValue) =>
    isObject(port)
      ? ['containerPort', 'protocol', 'hostPort', 'hostIP'].map((key) => String(own(port, key))).join('/')
      : '';
  return (ownList(container, 'ports') ?? []).flatMap((port, index) => {
    const twin = first.get(of(port));
    if (twin === undefined) first.set(of(port), index);
    return twin === undefined
      ? []
      : [`${path}.ports[${index}]: duplicate port definition with ${path}.ports[${twin}]`];
  });
}

function variableTwins(container: JsonObject, path: string): string[] {
  const seen = new Set<string>();
  return (ownList(container, 'env') ?? []).filter(isObject).flatMap((variable, index) => {
    const name = textAt(variable, 'name');
    const isTwin = seen.has(name);
    seen.add(name);
    const what = `hides previous definition of "${name}", which may be dropped when using apply`;
    return isTwin ? [`${path}.env[${index}]: ${what}`] : [];
  });
}
