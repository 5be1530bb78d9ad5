import {
  dnsSubdomainName,
  equal,
  type FieldError,
  formatGroupVersion,
  invalid,
  type JsonValue,
  type KubeObject,
  metadataOf,
  own,
  ownObject,
  ownString,
  put,
  validateObjectMetaChange,
  validateObjectMetaCreate,
} from '../../meta/index.ts';
import type { ResourceVersion } from '../../crd/index.ts';
import type { ValidationReport } from '../../schema/index.ts';
import { scaleSpecErrors, scaleStatusErrors } from './validate-scale.ts';
import type { Endpoint, Strategy, StrategyContext } from './strategy.ts';

/**
 * What every custom resource does. Source: apiextensions-apiserver, registry/customresource/strategy.go and
 * status_strategy.go.
 */
export const customResourceStrategy: Strategy = Object.freeze({
  allowUnconditionalUpdate: false,
  allowCreateOnUpdate: false,
  sharesUnchanged: true,
  validatesMetadata: true,

  nameRule: dnsSubdomainName,

  prepareForCreate(object: KubeObject, { version }: StrategyContext): void {
    if (version.subresources.status) delete object['status'];
    metadataOf(object)['generation'] = 1;
  },

  validateCreate(object: KubeObject, context: StrategyContext): ValidationReport {
    const typeErrors = validateTypeMeta(object, context);
    if (typeErrors.length > 0) return { errors: typeErrors, warnings: [] };
    const { namespaced } = context.type;
    return context.version.schema().validate({
      object,
      scope: 'object',
      beforeSchema: validateObjectMetaCreate(metadataOf(object), { namespaced, names: dnsSubdomainName }),
      afterSchema: scaleErrors(object, '', context),
    });
  },

  /** The default of the status itself: upstream has it from decoding what it stored without a status. */
  completeNew(object: KubeObject, { version }: StrategyContext): void {
    if (!version.subresources.status || !defaultsStatus(version)) return;
    version.schema().normalize(object, { dropInvalidMetadata: true });
  },

  prepareForUpdate(object: KubeObject, old: KubeObject, endpoint: Endpoint, context: StrategyContext): void {
    if (endpoint === 'status') return keepAllButStatus(object, old);
    if (context.version.subresources.status) restore(object, 'status', own(old, 'status'));
    if (changedOutsideMetadata(object, old)) {
      const generation = own(metadataOf(old), 'generation');
      metadataOf(object)['generation'] = (typeof generation === 'number' ? generation : 0) + 1;
    }
  },

  validateUpdate(
    object: KubeObject,
    old: KubeObject,
    endpoint: Endpoint,
    context: StrategyContext,
  ): ValidationReport {
    const typeErrors = validateTypeMeta(object, context);
    if (typeErrors.length > 0) return { errors: typeErrors, warnings: [] };
    const scope = endpoint === 'status' ? 'status' : 'object';
    return context.version.schema().validate({
      object,
      old,
      scope,
      // Upstream's strategy looks at the metadata once more: its errors stand twice among the causes.
      beforeSchema: validateObjectMetaChange(metadataOf(object), metadataOf(old)),
      afterSchema: scaleErrors(object, endpoint, context),
    });
  },
});

/** What scaling asks of an object; `/status` answers for the status alone. */
function scaleErrors(object: KubeObject, endpoint: Endpoint, { version }: StrategyContext): FieldError[] {
  const { scale } = version.subresources;
  if (scale === undefined) return [];
  const specErrors = endpoint === 'status' ? [] : scaleSpecErrors(object, scale);
  return [...specErrors, ...scaleStatusErrors(object, scale)];
}

function defaultsStatus({ openAPIV3Schema = {} }: ResourceVersion): boolean {
  const status = ownObject(ownObject(openAPIV3Schema, 'properties') ?? {}, 'status');
  return status !== undefined && own(status, 'default') !== undefined;
}

/** `/status` takes the status and who owns it; everything else is the old object's. */
function keepAllButStatus(object: KubeObject, old: KubeObject): void {
  const status = own(object, 'status');
  const managedFields = own(metadataOf(object), 'managedFields');
  for (const key of Object.keys(object)) delete object[key];
  for (const key of Object.keys(old)) put(object, key, own(old, key) ?? null);
  object['metadata'] = { ...metadataOf(old) };
  restore(metadataOf(object), 'managedFields', managedFields);
  restore(object, 'status', status);
}

function restore(object: KubeObject, key: string, value: JsonValue | undefined): void {
  if (value === undefined) delete object[key];
  else object[key] = value;
}

function changedOutsideMetadata(object: KubeObject, old: KubeObject): boolean {
  return !equal({ ...object, metadata: null }, { ...old, metadata: null });
}

/** When the object says to be of another kind, nothing else about it is worth saying. */
function validateTypeMeta(object: KubeObject, { type, version }: StrategyContext): FieldError[] {
  const errors: FieldError[] = [];
  const kind = ownString(object, 'kind') ?? '';
  const apiVersion = ownString(object, 'apiVersion') ?? '';
  const expected = formatGroupVersion(type.group, version.name);
  if (kind !== type.kind) errors.push(invalid('kind', kind, `must be ${type.kind}`));
  if (apiVersion !== expected) errors.push(invalid('apiVersion', apiVersion, `must be ${expected}`));
  return errors;
}
