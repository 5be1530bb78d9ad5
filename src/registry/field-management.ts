import {
  deducedObjectType,
  type FieldWriteOptions,
  type MergeType,
  mainResetFields,
  type ResetFields,
  statusResetFields,
  typeFromStructuralSchema,
  update,
} from '../apply/index.ts';
import type { ResourceType, ResourceVersion } from '../crd/index.ts';
import { type Clock, formatGroupVersion, type KubeObject } from '../meta/index.ts';
import type { RequestContext } from './context.ts';
import type { Endpoint } from './strategy.ts';

/** Where a write goes and who makes it. */
export interface FieldWrite {
  readonly version: ResourceVersion;
  readonly endpoint: Endpoint;
  readonly context: RequestContext;
  readonly clock: Clock;
}

/** Who owns which field of a resource's objects. Merge types are made when a write first needs them. */
export class FieldManagement {
  readonly #type: ResourceType;
  readonly #given: MergeType | undefined;
  readonly #types = new Map<string, MergeType>();

  /** @param mergeType for a built-in kind whose structural schema does not tell all */
  constructor(type: ResourceType, mergeType?: MergeType) {
    this.#type = type;
    this.#given = mergeType;
  }

  /** The object with the managed fields that a create or an update by anything but apply gives it. */
  track(old: KubeObject | undefined, object: KubeObject, write: FieldWrite): KubeObject {
    const convert = (value: KubeObject, apiVersion: string) => this.convert(value, apiVersion);
    return update(old, object, { ...this.options(write), convert });
  }

  /** What the engine must know of a write. */
  options({ version, endpoint, context, clock }: FieldWrite): FieldWriteOptions {
    const resetFields = this.#resetFields(version, endpoint);
    return {
      manager: context.fieldManager,
      apiVersion: formatGroupVersion(this.#type.group, version.name),
      subresource: endpoint,
      nowMs: clock.now(),
      typeOf: (apiVersion) => this.#typeOf(apiVersion),
      ...(resetFields === undefined ? {} : { resetFields }),
    };
  }

  /** An object in another version; undefined where that version is gone. */
  convert(object: KubeObject, apiVersion: string): KubeObject | undefined {
    return this.#versionOf(apiVersion) === undefined ? undefined : { ...object, apiVersion };
  }

  /** How an object in a version merges. */
  mergeType(version: ResourceVersion): MergeType {
    return this.#typeOf(formatGroupVersion(this.#type.group, version.name)) ?? deducedObjectType;
  }

  #resetFields(version: ResourceVersion, endpoint: Endpoint): ResetFields | undefined {
    const { group, versions } = this.#type;
    if (endpoint === 'status') {
      const withStatus = versions.filter(({ subresources }) => subresources.status);
      return statusResetFields(withStatus.map(({ name }) => formatGroupVersion(group, name)));
    }
    return version.subresources.status ? mainResetFields(formatGroupVersion(group, version.name)) : undefined;
  }

  #versionOf(apiVersion: string): ResourceVersion | undefined {
    return this.#type.versions.find(({ name }) => formatGroupVersion(this.#type.group, name) === apiVersion);
  }

  #typeOf(apiVersion: string): MergeType | undefined {
    const known = this.#types.get(apiVersion);
    if (known !== undefined) return known;
    const version = this.#versionOf(apiVersion);
    if (version === undefined) return undefined;
    const made = this.#given ?? typeFromStructuralSchema(version.openAPIV3Schema);
    this.#types.set(apiVersion, made);
    return made;
  }
}
