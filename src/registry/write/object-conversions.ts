import type { EquivalentResource, ObjectConversions } from '../../admission/index.ts';
import { scaleType } from '../../apply/index.ts';
import type { ResourceType, ResourceVersion } from '../../crd/index.ts';
import { clone, formatGroupVersion, internalError, type KubeObject, ownString } from '../../meta/index.ts';
import { MetadataTypeError } from '../../schema/index.ts';
import type { Served } from '../resource/served.ts';
import { shapeConverted } from '../representation/representation.ts';

/**
 * The conversions that admission can use for the objects of a resource at one of its subresources.
 *
 * @param shown the type of the endpoint, if it is another one: Scale
 */
export function objectConversionsOf(
  served: Served,
  subresource: string,
  shown = served.type,
): ObjectConversions {
  const { type, version } = served;
  const named = (name: string) => type.versions.find((one) => one.name === name) ?? version;
  const isShown = shown === type;
  return {
    equivalents: () => equivalentsOf(served, subresource, shown),
    convert: async (object, { version: name }) =>
      isShown ? convert(object, { ...served, version: named(name) }) : clone(object),
    mergeType: ({ version: name }) => (isShown ? served.resource.fields.mergeType(named(name)) : scaleType),
    complete: (object, { version: name }) =>
      complete(object, isShown ? named(name) : shown.storageVersion, shown.kind),
  };
}

function equivalentsOf(
  { type, version }: Served,
  subresource: string,
  shown: ResourceType,
): EquivalentResource[] {
  return type.versions
    .filter((one) => one !== version && one.served && hasSubresource(one, subresource))
    .map(({ name }) => {
      const shownVersion = shown === type ? name : shown.storageVersion.name;
      return {
        resource: { group: type.group, version: name, resource: type.resource },
        kind: { group: shown.group, version: shownVersion, kind: shown.kind },
      };
    });
}

function hasSubresource({ subresources }: ResourceVersion, name: string): boolean {
  if (name === 'status') return subresources.status;
  if (name === 'scale') return subresources.scale !== undefined;
  return true;
}

async function convert(object: KubeObject, { resource, type, version }: Served): Promise<KubeObject> {
  const { converter } = resource;
  if (ownString(object, 'apiVersion') === formatGroupVersion(type.group, version.name)) return clone(object);
  if (converter.webhook === undefined) {
    const copy = clone(object);
    converter.fromStored(copy, version);
    return shapeConverted(copy, version);
  }
  const [converted = object] = await converter.webhook.convert([object], version);
  return shapeConverted(converted, version);
}

function complete(object: KubeObject, version: ResourceVersion, kind: string): void {
  try {
    version.schema().normalize(object);
  } catch (error) {
    if (!(error instanceof MetadataTypeError)) throw error;
    throw internalError(`${kind}: ${error.message}`);
  }
}
