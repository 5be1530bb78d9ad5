import { dnsSubdomainName, equal, type KubeObject, metadataOf, own } from '../../meta/index.ts';
import type { ValidationReport } from '../../schema/index.ts';
import type { Endpoint, Strategy, StrategyContext } from './strategy.ts';

const fine: ValidationReport = Object.freeze({ errors: [], warnings: [] });

/**
 * What built-in kinds do unless they say otherwise: anything may be written, the status at its own endpoint where
 * there is one. Kinds whose upstream keeps a generation set `generation`, and those where annotations count in it
 * `countsAnnotations`.
 */
export function plainStrategy(
  options: {
    readonly generation?: boolean;
    readonly countsAnnotations?: boolean;
    /** True if a create may set the status: Nodes, which kubelets register with their status. */
    readonly takesStatus?: boolean;
  } = {},
): Strategy {
  return Object.freeze({
    allowUnconditionalUpdate: true,
    allowCreateOnUpdate: false,
    nameRule: dnsSubdomainName,

    prepareForCreate(object: KubeObject, { version }: StrategyContext): void {
      if (version.subresources.status && options.takesStatus !== true) delete object['status'];
      version.schema().normalize(object, { applyDefaults: false });
      if (options.generation === true) metadataOf(object)['generation'] = 1;
      else delete metadataOf(object)['generation'];
    },

    validateCreate: (object: KubeObject, { version }: StrategyContext) =>
      version.schema().validate({ object, scope: 'object' }),

    prepareForUpdate(
      object: KubeObject,
      old: KubeObject,
      endpoint: Endpoint,
      { version }: StrategyContext,
    ): void {
      if (endpoint === 'status') return keepSpec(object, old);
      if (version.subresources.status) keepField(object, old, 'status');
      if (options.generation !== true || isSame(object, old, options.countsAnnotations === true)) return;
      const generation = own(metadataOf(old), 'generation');
      metadataOf(object)['generation'] = (typeof generation === 'number' ? generation : 0) + 1;
    },

    validateUpdate: (
      object: KubeObject,
      old: KubeObject,
      endpoint: Endpoint,
      { version }: StrategyContext,
    ) => (endpoint === 'finalize' ? fine : version.schema().validate({ object, old, scope: 'object' })),
  });
}

function isSame(object: KubeObject, old: KubeObject, countsAnnotations: boolean): boolean {
  const annotations = (one: KubeObject) => own(metadataOf(one), 'annotations');
  return (
    equal(own(object, 'spec'), own(old, 'spec')) &&
    (!countsAnnotations || equal(annotations(object), annotations(old)))
  );
}

function keepSpec(object: KubeObject, old: KubeObject): void {
  for (const key of Object.keys({ ...old, ...object })) {
    if (key !== 'status' && key !== 'metadata') keepField(object, old, key);
  }
}

/** Gives a field of the object back its old value. */
export function keepField(object: KubeObject, old: KubeObject, field: string): void {
  const value = own(old, field);
  if (value === undefined) delete object[field];
  else object[field] = value;
}
