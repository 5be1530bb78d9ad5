import {
  type FieldError,
  forbidden,
  invalid,
  isObject,
  type JsonObject,
  own,
  ownList,
  required,
} from '../../meta/index.ts';
import { notNegativeAt, numberAt, portErrors, supported } from './field-checks.ts';
import { portNameTexts } from './port-name.ts';

/** Probes and lifecycle handlers of containers. Source: kubernetes, pkg/apis/core/validation. */

type HandlerCheck = (handler: JsonObject, path: string) => readonly FieldError[];

const handlers: ReadonlyMap<string, HandlerCheck> = new Map<string, HandlerCheck>([
  [
    'exec',
    (exec, path) => ((ownList(exec, 'command') ?? []).length === 0 ? [required(`${path}.command`)] : []),
  ],
  [
    'httpGet',
    (get, path) => [
      ...portOrNameErrors(get, path),
      ...supported(`${path}.scheme`, own(get, 'scheme'), ['HTTP', 'HTTPS']),
    ],
  ],
  ['tcpSocket', (socket, path) => portOrNameErrors(socket, path)],
  ['grpc', (grpc, path) => portErrors(`${path}.port`, numberAt(grpc, 'port') ?? 0)],
  ['sleep', () => []],
]);

function portOrNameErrors(handler: JsonObject, path: string): FieldError[] {
  const port = own(handler, 'port');
  if (typeof port !== 'string') return portErrors(`${path}.port`, numberAt(handler, 'port') ?? 0);
  return portNameTexts(port).map((text) => invalid(`${path}.port`, port, text));
}

/** One handler alone. */
export function handlerErrors(object: JsonObject, path: string): FieldError[] {
  const given = [...handlers].filter(([field]) => isObject(own(object, field)));
  if (given.length === 0) return [required(path, 'must specify a handler type')];
  return given.flatMap(([field, check], index) => {
    const handler = own(object, field);
    if (index > 0) return [forbidden(`${path}.${field}`, 'may not specify more than 1 handler type')];
    return isObject(handler) ? check(handler, `${path}.${field}`) : [];
  });
}

const numbers = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
] as const;

/** Which probe it is decides about two of its numbers. */
export function probeErrors(probe: JsonObject, path: string, kind: string): FieldError[] {
  const grace = numberAt(probe, 'terminationGracePeriodSeconds');
  const where = `${path}.terminationGracePeriodSeconds`;
  const successes = numberAt(probe, 'successThreshold');
  const isReadiness = kind === 'readinessProbe';
  return [
    ...handlerErrors(probe, path),
    ...notNegativeAt(path, probe, ...numbers),
    ...(grace !== undefined && grace <= 0 ? [invalid(where, grace, 'must be greater than 0')] : []),
    ...(isReadiness && grace !== undefined
      ? [invalid(where, grace, 'must not be set for readinessProbes')]
      : []),
    ...(!isReadiness && successes !== 1
      ? [invalid(`${path}.successThreshold`, successes ?? 0, 'must be 1')]
      : []),
  ];
}
