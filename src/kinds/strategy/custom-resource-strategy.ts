import {
  dnsSubdomainName,
  equal,
  type FieldError,
  formatGroupVersion,
  invalid,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  metadataOf,
  own,
  ownObject,
  ownString,
  parseTime,
  put,
  validateObjectMetaChange,
  validateObjectMetaCreate,
} from '../../meta/index.ts';
import type { ResourceVersion } from '../../crd/index.ts';
import { timeErrorText, type ValidationReport } from '../../schema/index.ts';
import { scaleSpecErrors, scaleStatusErrors } from './validate-scale.ts';
import type { Endpoint, Strategy, StrategyContext, WrittenShape } from './strategy.ts';

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
    const { namespaced } = context.type;
    return context.version.schema().validate({
      object,
      scope: 'object',
      ...mistakenType(object, context),
      beforeSchema: validateObjectMetaCreate(metadataOf(object), { namespaced, names: dnsSubdomainName }),
      afterSchema: scaleErrors(object, '', context),
    });
  },

  /** Upstream prunes what an apply made, and sets the default of a new status, when it decodes what it stored. */
  shapeStored(object: KubeObject, { version }: StrategyContext, { old, isShaped }: WrittenShape): void {
    const lacksStatus = old === undefined && version.subresources.status && defaultsStatus(version);
    if (isShaped && !lacksStatus) return;
    version.schema().normalize(object, { dropInvalidMetadata: true, settled: old });
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
    const scope = endpoint === 'status' ? 'status' : 'object';
    return context.version.schema().validate({
      object,
      old,
      scope,
      ...mistakenType(object, context),
      // Upstream's strategy validates the metadata a second time: its errors occur twice among the causes.
      beforeSchema: metadataErrors(metadataOf(object), metadataOf(old)),
      afterSchema: scaleErrors(object, endpoint, context),
    });
  },
});

/** A time that is none is left by an apply alone: upstream decodes the metadata that it made when it validates. */
function metadataErrors(metadata: JsonObject, old: JsonObject): FieldError[] {
  const time = own(metadata, 'deletionTimestamp');
  if (typeof time === 'string' && parseTime(time) === undefined) {
    return [invalid('metadata', metadata, timeErrorText(time))];
  }
  return validateObjectMetaChange(metadata, old);
}

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

/** An object of another kind is not validated by the schema, but by the rules, as upstream. */
function mistakenType(
  object: KubeObject,
  context: StrategyContext,
): { readonly insteadOfSchema?: readonly FieldError[] } {
  const errors = validateTypeMeta(object, context);
  return errors.length === 0 ? {} : { insteadOfSchema: errors };
}

function validateTypeMeta(object: KubeObject, { type, version }: StrategyContext): FieldError[] {
  const errors: FieldError[] = [];
  const kind = ownString(object, 'kind') ?? '';
  const apiVersion = ownString(object, 'apiVersion') ?? '';
  const expected = formatGroupVersion(type.group, version.name);
  if (kind !== type.kind) errors.push(invalid('kind', kind, `must be ${type.kind}`));
  if (apiVersion !== expected) errors.push(invalid('apiVersion', apiVersion, `must be ${expected}`));
  return errors;
}
