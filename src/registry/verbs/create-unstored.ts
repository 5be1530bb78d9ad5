import { AdmissionAttributes } from '../../admission/index.ts';
import { typeFromStructuralSchema } from '../../apply/index.ts';
import {
  clone,
  type CreateOptions,
  type GroupVersionKind,
  type KubeObject,
  writeOptionsObject,
} from '../../meta/index.ts';
import { type RequestContext, takeEffect } from '../request/context.ts';
import type { Target } from '../resource/target.ts';
import type { RegistryParts } from '../write/registry-parts.ts';

/** A create at a subresource that is answered and never stored: a TokenRequest. */
export interface UnstoredCreate {
  readonly target: Target;
  /** The resource, if it is not the target's. */
  readonly resource?: string;
  readonly subresource: string;
  /** The name of the object. */
  readonly name: string;
  readonly kind: GroupVersionKind;
  readonly object: KubeObject;
  readonly options: CreateOptions;
  readonly context: RequestContext;
}

/** The object after mutating plugins, and the rest of admission. */
export interface AdmittedCreate {
  readonly object: KubeObject;
  /** Runs validating admission on the completed object. @throws {StatusError} if it is refused */
  validate(completed: KubeObject): Promise<void>;
}

/** Runs mutating admission for such a create. @throws {StatusError} if it is refused */
export async function admitUnstored(parts: RegistryParts, create: UnstoredCreate): Promise<AdmittedCreate> {
  const { admission } = parts;
  const attributes = unstoredAttributes(create);
  if (!admission.handles(attributes)) return { object: create.object, validate: async () => {} };
  const { explain } = create.context;
  if (explain !== undefined) attributes.observe(explain);
  await admission.admit(attributes);
  return {
    object: attributes.object ?? create.object,
    validate: (completed) => {
      attributes.replaceObject(completed);
      return admission.validate(attributes);
    },
  };
}

function unstoredAttributes(create: UnstoredCreate): AdmissionAttributes {
  const { target, subresource, name, kind, object, options, context } = create;
  const { group } = target.type;
  const resource = create.resource ?? target.type.resource;
  return new AdmissionAttributes({
    operation: 'CREATE',
    resource: { group, version: target.version.name, resource },
    subresource,
    kind,
    namespace: target.namespace,
    name,
    object,
    oldObject: undefined,
    options: () => writeOptionsObject('CreateOptions', options),
    dryRun: options.dryRun,
    minRevision: target.freshness.minRevision,
    user: context.user,
    signal: () => context.signal,
    warn: (text) => context.warnings.add(text),
    annotate: (key, value) => takeEffect(context, () => context.annotate?.(key, value)),
    track: context.track,
    conversions: {
      equivalents: () => [],
      convert: async (one) => clone(one),
      mergeType: () => typeFromStructuralSchema(undefined),
      complete: () => {},
    },
  });
}
