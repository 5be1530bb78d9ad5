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

/** What the kinds of a configuration of admission differ in. */
interface RegistrationRules {
  /** The field that the generation counts the changes of. */
  readonly counted: 'spec' | 'webhooks';
  readonly errors: (object: KubeObject, old: KubeObject | undefined) => readonly FieldError[];
  readonly validateStatus?: KindRules['validateStatus'];
}

/** The strategy of the kinds of `admissionregistration.k8s.io`. An update must name the resourceVersion. */
export function registrationStrategy({ counted, errors, validateStatus }: RegistrationRules): Strategy {
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
    ...(validateStatus && { validateStatus }),
  });
  return Object.freeze({ ...strategy, allowUnconditionalUpdate: false, readByWrites: true });
}

function setGeneration(object: KubeObject, generation: JsonValue): void {
  metadataOf(object)['generation'] = generation;
}
