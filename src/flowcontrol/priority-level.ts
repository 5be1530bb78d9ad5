import { type KubeObject, metadataString, nameOf, own, ownObject, ownString } from '../meta/index.ts';
import { wholeNumber } from './read-spec.ts';

/** How many requests of a level run at once, and what becomes of the others. */
export interface PriorityLevel {
  readonly name: string;
  readonly uid: string;
  /** True where requests never wait. */
  readonly exempt: boolean;
  /** Its share of the server's seats, beside those of the other levels. */
  readonly shares: number;
  /** How much of that others may borrow. */
  readonly lendablePercent: number;
  /** How much it may borrow, of what it has; undefined where it may borrow all that there is. */
  readonly borrowingLimitPercent: number | undefined;
  /** Undefined where requests beyond the limit are rejected at once. */
  readonly queuing: Queuing | undefined;
}

export interface Queuing {
  readonly queues: number;
  readonly handSize: number;
  readonly queueLengthLimit: number;
}

/** Reads a PriorityLevelConfiguration that validation has accepted. */
export function readPriorityLevel(object: KubeObject): PriorityLevel {
  const spec = ownObject(object, 'spec') ?? {};
  const exempt = ownString(spec, 'type') === 'Exempt';
  const limits = ownObject(spec, exempt ? 'exempt' : 'limited') ?? {};
  const number = (field: string) => wholeNumber(own(limits, field));
  const response = ownObject(limits, 'limitResponse') ?? {};
  return {
    name: nameOf(object),
    uid: metadataString(object, 'uid'),
    exempt,
    shares: number('nominalConcurrencyShares') ?? (exempt ? 0 : 30),
    lendablePercent: number('lendablePercent') ?? 0,
    borrowingLimitPercent: number('borrowingLimitPercent'),
    queuing: ownString(response, 'type') === 'Queue' ? readQueuing(response) : undefined,
  };
}

function readQueuing(response: KubeObject): Queuing {
  const queuing = ownObject(response, 'queuing') ?? {};
  const number = (field: string, missing: number) => wholeNumber(own(queuing, field)) ?? missing;
  const queues = number('queues', 64);
  return {
    queues,
    handSize: Math.min(number('handSize', 8), queues),
    queueLengthLimit: number('queueLengthLimit', 50),
  };
}
