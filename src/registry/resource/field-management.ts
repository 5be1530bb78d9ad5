import {
  applyAsync,
  applyInSteps,
  type ApplyOptions,
  type ApplyResult,
  type ConvertLater,
  type ConvertNow,
  type FieldWriteOptions,
  type KnownSets,
  knowOwnManagedFields,
  type MergeType,
  mainResetFields,
  resetFieldsOf,
  patchTypeFromSchema,
  type ResetFields,
  statusResetFields,
  typeFromStructuralSchema,
  updateAsync,
  updateInSteps,
} from '../../apply/index.ts';
import type { ResourceType, ResourceVersion } from '../../crd/index.ts';
import {
  atOnce,
  type Clock,
  formatGroupVersion,
  invariant,
  type KubeObject,
  metadataOf,
  own,
  parseGroupVersion,
  type RunSteps,
} from '../../meta/index.ts';
import type { RequestContext } from '../request/context.ts';
import type { BuiltInKind, Endpoint } from '../../kinds/index.ts';
import type { WebhookConverter } from '../representation/webhook-converter.ts';

/** Where a write goes and who makes it. */
interface FieldWrite {
  readonly version: ResourceVersion;
  readonly endpoint: Endpoint;
  readonly context: RequestContext;
  readonly clock: Clock;
  /** Does what takes long with a large object; left out where nothing does. */
  readonly run?: RunSteps | undefined;
}

interface FieldManagementOptions {
  /** For a built-in kind whose structural schema does not tell all. */
  readonly mergeType?: MergeType | undefined;
  /** How strategic merge patch goes by its fields, where that is another way. */
  readonly patchType?: MergeType | undefined;
  /** What the endpoints of a built-in kind reset, where that is not what it is for every kind. */
  readonly resetFields?: BuiltInKind['resetFields'];
  /** Who converts between the versions, where they differ in more than their names. */
  readonly webhook?: WebhookConverter | undefined;
}

/** Managed fields name a version of another group than the object's. */
class ForeignVersionError extends Error {
  override readonly name = 'ForeignVersionError';
}

/** Who owns which field of a resource's objects. Merge types are made when a write first needs them. */
export class FieldManagement {
  readonly #type: ResourceType;
  readonly #given: MergeType | undefined;
  readonly #patchType: MergeType | undefined;
  readonly #webhook: WebhookConverter | undefined;
  readonly #givenResets: BuiltInKind['resetFields'];
  readonly #types = new Map<string, MergeType>();
  readonly #patchTypes = new Map<string, MergeType>();
  readonly #knownSets: KnownSets = new WeakMap();
  readonly #resets = new Map<string, ResetFields | undefined>();

  constructor(
    type: ResourceType,
    { mergeType, patchType, resetFields, webhook }: FieldManagementOptions = {},
  ) {
    this.#type = type;
    this.#given = mergeType;
    this.#patchType = patchType ?? mergeType;
    this.#webhook = webhook;
    this.#givenResets = resetFields;
  }

  /**
   * The object with the managed fields that a create or an update by anything but apply gives it; a promise only where
   * a webhook converts, or where `run` takes its time.
   */
  track(
    old: KubeObject | undefined,
    object: KubeObject,
    write: FieldWrite,
  ): KubeObject | Promise<KubeObject> {
    const options = {
      ...this.#options(write),
      typeOf: (apiVersion: string) => this.#typeOfOwner(apiVersion),
    };
    const webhook = this.#webhook;
    const { run = atOnce } = write;
    if (old === undefined && this.#type.isBuiltIn) {
      return run(
        updateInSteps(this.#emptyObject(write.version), object, { ...options, convert: this.#rename }),
      );
    }
    if (webhook === undefined) return run(updateInSteps(old, object, { ...options, convert: this.#rename }));
    return updateAsync(old, object, { ...options, convert: this.#convertBy(webhook) });
  }

  /** What a Go type writes of itself is there before anybody sets anything, so nobody becomes its owner. */
  #emptyObject(version: ResourceVersion): KubeObject {
    const { group, kind } = this.#type;
    const empty = { apiVersion: formatGroupVersion(group, version.name), kind, metadata: {} };
    version.schema().normalize(empty, { applyDefaults: false });
    return empty;
  }

  /** Lays a configuration over an object. @throws {StatusError} as `apply` does, and 500 where a webhook fails */
  apply(
    old: KubeObject | undefined,
    applied: KubeObject,
    { force, shownAsApplied, ...write }: FieldWrite & Pick<ApplyOptions, 'force' | 'shownAsApplied'>,
  ): ApplyResult | Promise<ApplyResult> {
    const shown = shownAsApplied === undefined ? {} : { shownAsApplied };
    const options = { ...this.#options(write), kind: this.#type.kind, force, ...shown };
    const webhook = this.#webhook;
    const { run = atOnce } = write;
    if (webhook === undefined) return run(applyInSteps(old, applied, { ...options, convert: this.#rename }));
    return applyAsync(old, applied, { ...options, convert: this.#convertBy(webhook) });
  }

  /**
   * Told of an object that was read from bytes that this process wrote in one of the type's versions of today: its
   * managed fields are as they should be.
   */
  noteOwn(object: KubeObject): void {
    const typeOf = (apiVersion: string) => this.#typeOf(apiVersion);
    knowOwnManagedFields(own(metadataOf(object), 'managedFields'), { known: this.#knownSets, typeOf });
  }

  /** What the engine must know of a write. */
  #options({ version, endpoint, context, clock }: FieldWrite): FieldWriteOptions {
    const resetFields = this.#resetFields(version, endpoint);
    return {
      manager: context.fieldManager,
      apiVersion: formatGroupVersion(this.#type.group, version.name),
      subresource: endpoint,
      nowMs: clock.now(),
      knownSets: this.#knownSets,
      typeOf: (apiVersion) => this.#typeOf(apiVersion),
      ...(resetFields === undefined ? {} : { resetFields }),
    };
  }

  /** An object in another version; undefined where that version is gone. */
  readonly #rename: ConvertNow = (object, apiVersion) =>
    this.#versionOf(apiVersion) === undefined ? undefined : { ...object, apiVersion };

  #convertBy(webhook: WebhookConverter): ConvertLater {
    return async (object, apiVersion) => {
      const version = this.#versionOf(apiVersion);
      if (version === undefined) return undefined;
      const [converted] = await webhook.convert([object], version);
      return converted;
    };
  }

  /** How an object in a version merges with an applied configuration. */
  mergeType({ name }: ResourceVersion): MergeType {
    const type = this.#typeOf(formatGroupVersion(this.#type.group, name));
    invariant(type !== undefined, `${this.#type.kind} has no version ${name}`);
    return type;
  }

  /** How an object in a version merges with a strategic merge patch. */
  patchType({ name, openAPIV3Schema }: ResourceVersion): MergeType {
    const known = this.#patchType ?? this.#patchTypes.get(name);
    if (known !== undefined) return known;
    const made = patchTypeFromSchema(openAPIV3Schema ?? { type: 'object' });
    this.#patchTypes.set(name, made);
    return made;
  }

  #resetFields(version: ResourceVersion, endpoint: Endpoint): ResetFields | undefined {
    const key = `${version.name}/${endpoint}`;
    if (!this.#resets.has(key)) this.#resets.set(key, this.#makeResetFields(version, endpoint));
    return this.#resets.get(key);
  }

  #makeResetFields(version: ResourceVersion, endpoint: Endpoint): ResetFields | undefined {
    const { group, versions } = this.#type;
    const given = this.#givenResets?.[endpoint];
    if (given !== undefined) return resetFieldsOf(formatGroupVersion(group, version.name), given);
    if (endpoint === 'status') {
      const withStatus = versions.filter(({ subresources }) => subresources.status);
      return statusResetFields(withStatus.map(({ name }) => formatGroupVersion(group, name)));
    }
    return version.subresources.status ? mainResetFields(formatGroupVersion(group, version.name)) : undefined;
  }

  #versionOf(apiVersion: string): ResourceVersion | undefined {
    return this.#type.versions.find(({ name }) => formatGroupVersion(this.#type.group, name) === apiVersion);
  }

  /** As {@link #typeOf}. @throws {ForeignVersionError} for a version that no custom resource converts to */
  #typeOfOwner(apiVersion: string): MergeType | undefined {
    const { group, isBuiltIn } = this.#type;
    if (!isBuiltIn && parseGroupVersion(apiVersion)?.group !== group) {
      throw new ForeignVersionError(`no custom resource of ${group} converts to ${apiVersion}`);
    }
    return this.#typeOf(apiVersion);
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
