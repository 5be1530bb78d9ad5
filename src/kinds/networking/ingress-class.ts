import {
  checkDnsLabel,
  checkDnsSubdomain,
  type FieldError,
  forbidden,
  invalid,
  type JsonObject,
  type KubeObject,
  own,
  ownObject,
  required,
  tooLong,
} from '../../meta/index.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { invalidAs, supported, textAt } from '../rules/field-checks.ts';
import { type ItemRule, itemRuleErrors, type KindRule } from '../rules/field-rules.ts';
import { specOf } from '../rules/workload.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';
import { referenceRules } from './reference-rules.ts';

const controllerBytesMax = 250;
const noPath = 'must be a domain-prefixed path (such as "acme.io/foo")';
const pathText = "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')";

/** Source: kubernetes, pkg/apis/networking/validation, validateIngressClassSpec. */
const rules: readonly KindRule[] = [
  controllerErrors,
  { path: 'spec.controller', immutable: true },
  parametersErrors,
];

function controllerErrors(ingressClass: KubeObject): FieldError[] {
  const path = 'spec.controller';
  const controller = textAt(specOf(ingressClass), 'controller');
  if (controller === '') return [required(path)];
  const isLong = Buffer.byteLength(controller) > controllerBytesMax;
  return [...(isLong ? [tooLong(path, controllerBytesMax)] : []), ...prefixedPathErrors(path, controller)];
}

/** Source: apimachinery, IsDomainPrefixedPath. */
function prefixedPathErrors(path: string, text: string): FieldError[] {
  const slash = text.indexOf('/');
  const [host, rest] = [text.slice(0, Math.max(slash, 0)), text.slice(slash + 1)];
  if (host === '' || rest === '') return [invalid(path, text, noPath)];
  const isPath = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/.test(rest);
  return [...invalidAs(path, host, checkDnsSubdomain), ...(isPath ? [] : [invalid(path, rest, pathText)])];
}

function parametersErrors(ingressClass: KubeObject): FieldError[] {
  const parameters = ownObject(specOf(ingressClass), 'parameters');
  return parameters === undefined ? [] : itemRuleErrors(parameterRules, parameters, 'spec.parameters');
}

const parameterRules: readonly ItemRule[] = [...referenceRules, scopeErrors];

function scopeErrors(parameters: JsonObject, path: string): FieldError[] {
  const scope = own(parameters, 'scope');
  const namespace = own(parameters, 'namespace');
  const why = `\`parameters.scope\` is set to '${String(scope)}'`;
  if (scope === 'Namespace') {
    if (namespace === undefined) return [required(`${path}.namespace`, why)];
    return invalidAs(`${path}.namespace`, textAt(parameters, 'namespace'), checkDnsLabel);
  }
  if (scope === 'Cluster') return namespace === undefined ? [] : [forbidden(`${path}.namespace`, why)];
  return supported(`${path}.scope`, scope, ['Cluster', 'Namespace']);
}

/** Source: kubernetes, pkg/apis/networking/v1/defaults.go. */
function complete(ingressClass: KubeObject): void {
  const parameters = ownObject(specOf(ingressClass), 'parameters');
  if (parameters !== undefined && own(parameters, 'scope') === undefined) parameters['scope'] = 'Cluster';
}

export const ingressClassKind: BuiltInKind = {
  strategy: ruledStrategy({ generation: true, rules }),
  type: builtInType({
    group: 'networking.k8s.io',
    version: 'v1',
    kind: 'IngressClass',
    resource: 'ingressclasses',
    namespaced: false,
    complete,
    columns: [
      column('Controller', '.spec.controller', { description: 'The controller of its ingresses.' }),
      ageColumn,
    ],
  }),
};
