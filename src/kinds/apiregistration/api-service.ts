import {
  checkDns1035Label,
  checkDnsSubdomain,
  type FieldError,
  formatTime,
  invalid,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  nameOf,
  own,
  ownList,
  ownObject,
  pathSegmentName,
  required,
} from '../../meta/index.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { eachIn, invalidAs, numberAt, oneOf, portErrors, textAt } from '../rules/field-checks.ts';
import { specOf, statusOf } from '../rules/workload.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';

/** Source: kube-aggregator, pkg/apis/apiregistration/validation. */
function validate(apiService: KubeObject): FieldError[] {
  const spec = specOf(apiService);
  const [group, version] = [textAt(spec, 'group'), textAt(spec, 'version')];
  const name = `${version}.${group}`;
  const service = ownObject(spec, 'service');
  return [
    ...(nameOf(apiService) === name
      ? []
      : [
          invalid(
            'metadata.name',
            nameOf(apiService),
            `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(name)}`,
          ),
        ]),
    ...(group === '' && version !== 'v1'
      ? [required('spec.group', 'only v1 may have an empty group and it better be legacy kube')]
      : []),
    ...(group === '' ? [] : invalidAs('spec.group', group, checkDnsSubdomain)),
    ...invalidAs('spec.version', version, checkDns1035Label),
    ...priorityErrors(spec, 'groupPriorityMinimum', 20_000),
    ...priorityErrors(spec, 'versionPriority', 1_000),
    ...(service === undefined ? localErrors(spec) : serviceErrors(spec, service)),
  ];
}

function priorityErrors(spec: JsonObject, field: string, max: number): FieldError[] {
  const value = numberAt(spec, field) ?? 0;
  if (value > 0 && value <= max) return [];
  return [invalid(`spec.${field}`, value, `must be positive and less than ${max}`)];
}

function localErrors(spec: JsonObject): FieldError[] {
  const bundle = textAt(spec, 'caBundle');
  const bytes = Buffer.from(bundle, 'base64').byteLength;
  return [
    ...(bytes === 0
      ? []
      : [invalid('spec.caBundle', `${bytes} bytes`, 'local APIServices may not have a caBundle')]),
    ...(own(spec, 'insecureSkipTLSVerify') === true
      ? [invalid('spec.insecureSkipTLSVerify', true, 'local APIServices may not have insecureSkipTLSVerify')]
      : []),
  ];
}

function serviceErrors(spec: JsonObject, service: JsonObject): FieldError[] {
  const isInsecure = own(spec, 'insecureSkipTLSVerify') === true && textAt(spec, 'caBundle') !== '';
  return [
    ...['namespace', 'name']
      .filter((field) => textAt(service, field) === '')
      .map((field) => required(`spec.service.${field}`, '')),
    ...portErrors('spec.service.port', numberAt(service, 'port') ?? 0).map((error) => ({
      ...error,
      detail: `port is not valid: ${error.detail}`,
    })),
    ...(isInsecure
      ? [invalid('spec.insecureSkipTLSVerify', true, 'may not be true if caBundle is present')]
      : []),
  ];
}

function validateStatus(apiService: KubeObject): FieldError[] {
  return eachIn('status', statusOf(apiService), 'conditions', (condition, path) =>
    oneOf(`${path}.status`, own(condition, 'status') ?? '', ['False', 'True', 'Unknown']),
  );
}

/** Groups of this server are available; APIs of other servers are not called, and clients set their status. */
function firstStatus(apiService: KubeObject, nowMs: number): JsonObject {
  if (ownObject(specOf(apiService), 'service') !== undefined) return {};
  const condition = {
    type: 'Available',
    status: 'True',
    lastTransitionTime: formatTime(nowMs),
    reason: 'Local',
    message: 'Local APIServices are always available',
  };
  return { conditions: [condition] };
}

function serviceCell(apiService: KubeObject): JsonValue {
  const service = ownObject(specOf(apiService), 'service');
  return service === undefined ? 'Local' : `${textAt(service, 'namespace')}/${textAt(service, 'name')}`;
}

function availableCell(apiService: KubeObject): JsonValue {
  const conditions = (ownList(statusOf(apiService), 'conditions') ?? []).filter(
    (one): one is JsonObject => typeof one === 'object' && one !== null && !Array.isArray(one),
  );
  const available = conditions.find((condition) => own(condition, 'type') === 'Available');
  if (available === undefined) return 'Unknown';
  const status = textAt(available, 'status');
  return status === 'True' ? status : `${status} (${textAt(available, 'reason')})`;
}

/** APIServices are kept: no request is forwarded to the server that one names. */
export const apiServiceKind: BuiltInKind = {
  storedAs: { prefix: '/registry/apiregistration.k8s.io/apiservices/' },
  strategy: ruledStrategy({
    nameRule: pathSegmentName,
    validate,
    validateStatus,
    firstStatus: (apiService, { clock }) => firstStatus(apiService, clock.now()),
  }),
  type: builtInType({
    group: 'apiregistration.k8s.io',
    version: 'v1',
    kind: 'APIService',
    resource: 'apiservices',
    namespaced: false,
    categories: ['api-extensions'],
    status: true,
    columns: [
      column('Service', '', {
        read: serviceCell,
        description: 'The reference to the service that hosts this API endpoint.',
      }),
      column('Available', '', { read: availableCell, description: 'Whether this service is available.' }),
      ageColumn,
    ],
  }),
};
