import { AdmissionAttributes, type AdmissionScope, type Operation } from '../../admission/index.ts';
import type { ResourceType } from '../../crd/index.ts';
import { type JsonObject, type KubeObject, nameOf } from '../../meta/index.ts';
import { type RequestContext, takeEffect } from '../request/context.ts';
import type { Endpoint } from '../../kinds/index.ts';
import { objectConversionsOf } from './object-conversions.ts';
import type { RegistryParts } from './registry-parts.ts';
import type { Target } from '../resource/target.ts';

/** A write, as admission sees it. */
interface AdmittedWrite {
  readonly operation: Operation;
  readonly object?: KubeObject;
  readonly oldObject?: KubeObject;
  readonly endpoint?: Endpoint;
  /** The type of the objects, if it is not the target's: Scale. */
  readonly shown?: ResourceType;
  /** The name from the URL; absent if the object has it. */
  readonly name?: string;
  readonly options: () => JsonObject;
  readonly dryRun: boolean;
  readonly context: RequestContext;
}

/** The properties that decide which plugins handle the write. */
export function scopeOf(target: Target, operation: Operation, endpoint: Endpoint = ''): AdmissionScope {
  const { group, resource } = target.resource.type;
  return { operation, resource: { group, version: target.version.name, resource }, subresource: endpoint };
}

/** The attributes of a write; undefined if no plugin handles it. */
export function attributesOf(
  { admission }: Pick<RegistryParts, 'admission'>,
  target: Target,
  write: AdmittedWrite,
): AdmissionAttributes | undefined {
  const scope = scopeOf(target, write.operation, write.endpoint);
  if (!admission.handles(scope)) return undefined;
  const { type, version, namespace, freshness } = target;
  const { object, oldObject, options, dryRun, context, shown = type } = write;
  const name = write.name ?? nameOf(object ?? oldObject ?? {});
  const isNamespace = type.group === '' && type.resource === 'namespaces';
  const attributes = new AdmissionAttributes({
    ...scope,
    kind: {
      group: shown.group,
      version: shown === type ? version.name : shown.storageVersion.name,
      kind: shown.kind,
    },
    namespace: isNamespace ? name : namespace,
    name,
    object,
    oldObject,
    options,
    dryRun,
    minRevision: freshness.minRevision,
    user: context.user,
    signal: () => context.signal,
    warn: (text) => context.warnings.add(text),
    annotate: (key, value) => takeEffect(context, () => context.annotate?.(key, value)),
    isRestored: context.isRestoring,
    track: context.track,
    conversions: objectConversionsOf(target, scope.subresource, shown),
  });
  if (context.explain !== undefined) attributes.observe(context.explain);
  return attributes;
}
