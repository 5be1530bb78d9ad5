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
  clone,
  formatGroupVersion,
  invariant,
  type KubeObject,
  metadataOf,
  own,
  type RunSteps,
  StatusError,
} from '../../meta/index.ts';
import type { RequestContext } from '../request/context.ts';
import type { BuiltInKind, Converter, Endpoint } from '../../kinds/index.ts';
import type { WebhookConverter } from '../representation/webhook-converter.ts';

/** The target and the writer. */
interface FieldWrite {
  readonly version: ResourceVersion;
  readonly endpoint: Endpoint;
  readonly context: RequestContext;
  readonly clock: Clock;
  /** Runs the steps of a large object in slices; absent for small objects. */
  readonly run?: RunSteps | undefined;
}

interface FieldManagementOptions {
  /** The merge type of a built-in kind, if its structural schema does not define it completely. */
  readonly mergeType?: MergeType | undefined;
  /** The merge type of strategic merge patch, if it differs. */
  readonly patchType?: MergeType | undefined;
  /** The fields that the endpoints of a built-in kind reset, if they differ from other kinds'. */
  readonly resetFields?: BuiltInKind['resetFields'];
  /** The converter of a built-in kind. */
  readonly converter?: Converter | undefined;
  /** The converter between versions, if they differ in more than name. */
  readonly webhook?: WebhookConverter | undefined;
}

/** Computes the owners of the fields of a resource's objects. Merge types are made on first use. */
export class FieldManagement {
  readonly #type: ResourceType;
  readonly #given: MergeType | undefined;
  readonly #patchType: MergeType | undefined;
  readonly #converter: Converter | undefined;
  readonly #webhook: WebhookConverter | undefined;
  readonly #givenResets: BuiltInKind['resetFields'];
  readonly #types = new Map<string, MergeType>();
  readonly #patchTypes = new Map<string, MergeType>();
  readonly #knownSets: KnownSets = new WeakMap();
  readonly #resets = new Map<string, ResetFields | undefined>();

  constructor(
    type: ResourceType,
    { mergeType, patchType, resetFields, converter, webhook }: FieldManagementOptions = {},
  ) {
    this.#type = type;
    this.#given = mergeType;
    this.#patchType = patchType ?? mergeType;
    this.#converter = converter;
    this.#webhook = webhook;
    this.#givenResets = resetFields;
  }

  /**
   * Returns the object with its managed fields after a create or an update other than apply. A promise only if a
   * webhook converts, or if `run` works in slices.
   */
  track(
    old: KubeObject | undefined,
    object: KubeObject,
    write: FieldWrite,
  ): KubeObject | Promise<KubeObject> {
    const options = this.#options(write);
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

  /** Fields that a Go type always writes exist before a client sets them, so they get no owner. */
  #emptyObject(version: ResourceVersion): KubeObject {
    const { group, kind } = this.#type;
    const empty = { apiVersion: formatGroupVersion(group, version.name), kind, metadata: {} };
    version.schema().normalize(empty, { applyDefaults: false });
    return empty;
  }

  /** Applies a configuration to an object. @throws {StatusError} as `apply` does, and 500 if a webhook fails */
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
   * Called with an object decoded from bytes that this process wrote in a current version: its managed fields are
   * known to be valid.
   */
  noteOwn(object: KubeObject): void {
    const typeOf = (apiVersion: string) => this.#typeOf(apiVersion);
    knowOwnManagedFields(own(metadataOf(object), 'managedFields'), { known: this.#knownSets, typeOf });
  }

  /** The parameters of the apply engine for a write. */
  #options({ version, endpoint, context, clock }: FieldWrite): FieldWriteOptions {
    const resetFields = this.#resetFields(version, endpoint);
    return {
      manager: context.fieldManager,
      apiVersion: formatGroupVersion(this.#type.group, version.name),
      subresource: endpoint,
      nowMs: clock.now(),
      knownSets: this.#knownSets,
      typeOf: (apiVersion) => this.#typeOfOwner(apiVersion),
      ...(resetFields === undefined ? {} : { resetFields }),
    };
  }

  /** Converts an object to another version; undefined if that version no longer exists. */
  readonly #rename: ConvertNow = (object, apiVersion) => {
    const version = this.#versionOf(apiVersion);
    if (version === undefined) return undefined;
    if (this.#converter === undefined || this.#type.versions.length === 1) return { ...object, apiVersion };
    const converted = clone(object);
    this.#converter.toStored(converted);
    this.#converter.fromStored(converted, version);
    return converted;
  };

  #convertBy(webhook: WebhookConverter): ConvertLater {
    return async (object, apiVersion) => {
      const version = this.#versionOf(apiVersion);
      if (version === undefined) return undefined;
      const [converted] = await webhook.convert([object], version);
      return converted;
    };
  }

  /** The merge type of server-side apply for a version. */
  mergeType({ name }: ResourceVersion): MergeType {
    const type = this.#typeOf(formatGroupVersion(this.#type.group, name));
    invariant(type !== undefined, `${this.#type.kind} has no version ${name}`);
    return type;
  }

  /** The merge type of strategic merge patch for a version. */
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

  /**
   * Like {@link #typeOf}, for a version in managed fields. Managers of built-in kinds are dropped with their version;
   * custom resources convert to the versions of their CRD only. An update then keeps all managers as they are.
   *
   * @throws {StatusError} 500, as upstream (kubernetes/kubernetes#111937)
   */
  #typeOfOwner(apiVersion: string): MergeType | undefined {
    const type = this.#typeOf(apiVersion);
    if (type !== undefined || this.#type.isBuiltIn) return type;
    throw new StatusError({
      code: 500,
      message: `request to convert CR to an invalid group/version: ${apiVersion}`,
    });
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
