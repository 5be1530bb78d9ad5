import type { ResourceType, ResourceVersion, SelectableField } from '../../crd/index.ts';
import { isObject, type JsonObject, own, ownList } from '../../meta/index.ts';
import { withGatedProperties } from './gated-properties.ts';
import { mapSchema } from './map-schema.ts';
import { modelName } from './model-name.ts';
import { builtInModels } from './models/built-in-models.ts';
import { metaModels } from './models/meta-v1.ts';
import { ofKind, text, typeMeta } from './models/notation.ts';
import type { SpecForm } from './spec-form.ts';

/** A resource in one version, and the OpenAPI version to describe it in. */
interface Described {
  readonly type: ResourceType;
  readonly version: ResourceVersion;
  readonly form: SpecForm;
}

/**
 * The schemas of a kind and its list, if it has one, by name. Models of the server keep their names.
 */
export function kindSchemas(described: Described): JsonObject {
  const { type, version } = described;
  const schemas: JsonObject = {};
  const item = modelName(type, version.name, type.kind);
  const list = modelName(type, version.name, type.listKind);
  if (!builtInModels.has(item)) schemas[item] = itemSchema(described, version.openApiModels?.().get(item));
  if (!builtInModels.has(list) && type.isUnstored !== true) schemas[list] = listSchema(described, item);
  return schemas;
}

/** The models that built-in kinds reference, by name; most are shared by several kinds. */
export function pieceSchemas({ version, form }: Omit<Described, 'type'>): JsonObject {
  return piecesOf(version.openApiModels?.() ?? new Map(), form);
}

/** {@link pieceSchemas} of these models. */
export function piecesOf(models: ReadonlyMap<string, JsonObject>, form: SpecForm): JsonObject {
  const schemas: JsonObject = {};
  for (const [name, model] of models) {
    const piece = form.model(builtInModels.get(name) ?? model);
    schemas[name] =
      own(piece, 'x-kubernetes-group-version-kind') === undefined ? piece : withObjectMeta(piece, form);
  }
  return schemas;
}

/** @param whole the model of the whole object, if the version has models */
function itemSchema({ type, version, form }: Described, whole: JsonObject | undefined): JsonObject {
  return {
    ...(whole === undefined ? contentSchema(type, version, form) : withObjectMeta(form.model(whole), form)),
    ...ofKind(type.group, version.name, type.kind),
    ...selectableFields(version),
  };
}

/** Omits all properties if some are unknown, because clients refuse fields that are not listed. */
function contentSchema(
  { fieldGates }: ResourceType,
  { openAPIV3Schema: source }: ResourceVersion,
  form: SpecForm,
): JsonObject {
  if (source === undefined || form.isOpaque(source)) return { type: 'object' };
  const marked = fieldGates === undefined ? source : withGatedProperties(source, fieldGates.fields);
  const schema = mapSchema(marked, (node) => withEmbeddedObject(form.node(node), form));
  return withObjectMeta(schema, form);
}

function withObjectMeta(schema: JsonObject, form: SpecForm): JsonObject {
  const properties = own(schema, 'properties');
  const metadata = form.ref(metaModels.objectMeta, metadataDescription);
  return { ...schema, properties: { ...(isObject(properties) ? properties : {}), ...typeMeta, metadata } };
}

const metadataDescription =
  'The metadata of the object: its name, its labels, and what the server notes about it.';

function withEmbeddedObject(node: JsonObject, form: SpecForm): JsonObject {
  if (node['x-kubernetes-embedded-resource'] !== true || form.isOpaque(node)) return node;
  const properties = own(node, 'properties');
  const required = ownList(node, 'required') ?? [];
  return {
    ...node,
    properties: {
      ...(isObject(properties) ? properties : {}),
      ...typeMeta,
      metadata: form.ref(metaModels.objectMeta, metadataDescription),
    },
    required: [...required, ...['kind', 'apiVersion'].filter((name) => !required.includes(name))],
  };
}

function listSchema({ type, version, form }: Described, item: string): JsonObject {
  return {
    ...text(`${type.listKind} is a list of ${type.kind}`),
    type: 'object',
    required: ['items'],
    properties: {
      ...typeMeta,
      items: { description: `List of ${type.resource}.`, type: 'array', items: form.ref(item) },
      metadata: form.ref(metaModels.listMeta, 'What the list says of itself.'),
    },
    ...ofKind(type.group, version.name, type.listKind),
    ...selectableFields(version),
  };
}

/**
 * The paths for field selectors, without those that every kind has; built-in kinds add a description where needed.
 * Source: KEP-4358.
 */
function selectableFields({ selectableFields: fields }: ResourceVersion): JsonObject {
  if (fields.length === 0) return {};
  return { 'x-kubernetes-selectable-fields': fields.map(selectableField) };
}

function selectableField({ fieldPath, default: value, description }: SelectableField): JsonObject {
  return {
    fieldPath,
    ...(value === undefined ? {} : { default: value }),
    ...(description === undefined ? {} : { description }),
  };
}
