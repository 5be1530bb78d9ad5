import {
  equal,
  type FieldError,
  type JsonValue,
  type KubeObject,
  metadataOf,
  own,
} from '../../meta/index.ts';
import { type KindRules, ruledStrategy } from '../strategy/ruled-strategy.ts';
import type { Strategy } from '../strategy/strategy.ts';
import { staticNameWarnings } from './webhook-configuration-rules.ts';

/** The differences between the kinds of the group. */
interface RegistrationRules {
  /** The field whose changes increase the generation. */
  readonly counted: 'spec' | 'webhooks';
  readonly errors: (object: KubeObject, old: KubeObject | undefined) => readonly FieldError[];
  readonly statusRules?: KindRules['statusRules'];
}

/** The strategy of the kinds of `admissionregistration.k8s.io`. Updates require a resourceVersion. */
export function registrationStrategy({ counted, errors, statusRules }: RegistrationRules): Strategy {
  const strategy = ruledStrategy({
    prepareNew: (object) => setGeneration(object, 1),
    prepareChange: (object, old) => {
      const before = own(metadataOf(old), 'generation') ?? 0;
      const isSame = equal(own(object, counted) ?? null, own(old, counted) ?? null);
      setGeneration(object, isSame ? before : Number(before) + 1);
    },
    validateNew: (object) => errors(object, undefined),
    validateChange: (object, old) => errors(object, old),
    warn: staticNameWarnings,
    ...(statusRules && { statusRules }),
  });
  return Object.freeze({ ...strategy, allowUnconditionalUpdate: false, readByWrites: true });
}

function setGeneration(object: KubeObject, generation: JsonValue): void {
  metadataOf(object)['generation'] = generation;
}
