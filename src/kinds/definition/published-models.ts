import { messageModels } from '../../codec/index.ts';
import type { JsonObject } from '../../meta/index.ts';
import { published } from './derived-schema.ts';
import { enumTypes } from './enum-types.ts';
import { optionalFields, requiredStructs } from './required-fields.ts';

const metaHome = 'io.k8s.apimachinery.pkg.apis.meta.v1.';

/** Messages of the package that every other one takes from. */
const metaMessages: ReadonlySet<string> = new Set([
  'Condition',
  'FieldSelectorRequirement',
  'LabelSelector',
  'LabelSelectorRequirement',
  'ListMeta',
  'ManagedFieldsEntry',
  'ObjectMeta',
  'OwnerReference',
]);

/** Go types whose models are not derived from their messages. */
const specialModels: ReadonlyMap<string, readonly [name: string, model: JsonObject]> = new Map<
  string,
  readonly [string, JsonObject]
>([
  ['Time', [`${metaHome}Time`, { type: 'string', format: 'date-time' }]],
  ['MicroTime', [`${metaHome}MicroTime`, { type: 'string', format: 'date-time' }]],
  [
    'Quantity',
    ['io.k8s.apimachinery.pkg.api.resource.Quantity', { oneOf: [{ type: 'string' }, { type: 'number' }] }],
  ],
  [
    'IntOrString',
    [
      'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
      { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
    ],
  ],
  ['RawJson', ['io.k8s.apimachinery.pkg.runtime.RawExtension', { type: 'object' }]],
]);

/** Whole objects within others. */
const embeddedKinds: ReadonlyMap<string, JsonObject> = new Map([
  ['PersistentVolumeClaim', { group: '', kind: 'PersistentVolumeClaim', version: 'v1' }],
]);

/** Upstream has one type where our tables have two. */
const otherNames: ReadonlyMap<string, string> = new Map([['batch.TemplateJobSpec', 'batch.JobSpec']]);

/** `apps.DeploymentSpec` is `io.k8s.api.apps.v1.DeploymentSpec`. */
function modelNameOf(message: string): string {
  const name = otherNames.get(message) ?? message;
  if (metaMessages.has(name)) return `${metaHome}${name}`;
  const [group = '', ...rest] = name.split('.');
  if (rest.length === 0) return `io.k8s.api.core.v1.${name}`;
  if (group === 'apiregistration') return `io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.${rest[0]}`;
  return rest.length === 1 ? `io.k8s.api.${group}.v1.${rest[0]}` : `io.k8s.api.${name}`;
}

const reference = (model: string): JsonObject => ({ $ref: `#/components/schemas/${model}` });

const modelsOf = messageModels({
  ...published,
  reference(type) {
    const special = specialModels.get(type);
    if (special !== undefined) return reference(special[0]);
    return scalars.has(type) ? undefined : reference(modelNameOf(type));
  },
  enumOf: (named) => enumTypes.get(named.replace(/^v1\./, '')),
  isRequired(message, { name, isAlways, shape, type }) {
    const place = `${message}.${name}`;
    if (requiredStructs.has(place)) return true;
    const isStruct = shape === 'single' && !scalars.has(type);
    return isAlways && !isStruct && !optionalFields.has(place);
  },
});

const scalars: ReadonlySet<string> = new Set([
  'string',
  'bytes',
  'bool',
  'int32',
  'int64',
  'double',
  'ExtraValue',
]);

/**
 * What documents show of a kind that upstream describes by Go types: a schema for each type, by the name that clients
 * know it by, in the notation of OpenAPI 3. The kind's own is among them.
 */
export function publishedModels(apiVersion: string, kind: string): ReadonlyMap<string, JsonObject> {
  const models = [...modelsOf(apiVersion, kind)].map(([message, model]) => {
    const embedded = embeddedKinds.get(message);
    const marked =
      embedded === undefined ? model : { ...model, 'x-kubernetes-group-version-kind': [embedded] };
    return [modelNameOf(message), marked] as const;
  });
  return new Map([...specialModels.values(), ...models]);
}
