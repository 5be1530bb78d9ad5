import { type KubeObject, metadataString, nameOf, own, ownObject, ownString } from '../meta/index.ts';
import { wholeNumber } from './read-spec.ts';

/** A PriorityLevelConfiguration: its seats, and how further requests are treated. */
export interface PriorityLevel {
  readonly name: string;
  readonly uid: string;
  /** True if requests never wait. */
  readonly exempt: boolean;
  /** Its share of the server's seats, relative to the other levels. */
  readonly shares: number;
  /** The percentage of its seats that others may borrow. */
  readonly lendablePercent: number;
  /** The percentage of its seats that it may borrow; undefined for no limit. */
  readonly borrowingLimitPercent: number | undefined;
  /** Undefined if requests beyond the limit are rejected at once. */
  readonly queuing: Queuing | undefined;
}

export interface Queuing {
  readonly queues: number;
  readonly handSize: number;
  readonly queueLengthLimit: number;
}

/** Reads a valid PriorityLevelConfiguration. */
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
