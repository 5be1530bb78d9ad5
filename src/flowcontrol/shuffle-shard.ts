import { createHash } from 'node:crypto';

/** The usable entropy of a flow's hash, in bits. Source: apiserver, util/shufflesharding. */
export const hashBitsMax = 60;

/** The number of hash bits that a hand uses. */
export function requiredEntropyBits(deckSize: number, handSize: number): number {
  return Math.ceil(Math.log2(deckSize) * handSize);
}

/** The queues that a flow may wait in: `handSize` distinct ones of `deckSize`, the same for the same hash. */
export function dealHand(
  hash: bigint,
  { deckSize, handSize }: { deckSize: number; handSize: number },
): number[] {
  const remainders: number[] = [];
  let rest = hash;
  for (let dealt = 0; dealt < handSize; dealt += 1) {
    const left = BigInt(deckSize - dealt);
    remainders.push(Number(rest % left));
    rest /= left;
  }
  return remainders.map((card, at) => cardAmongAll(card, remainders.slice(0, at)));
}

/** Converts an index among the remaining cards to one among all cards. */
function cardAmongAll(card: number, before: readonly number[]): number {
  return before.reduceRight((counted, dealt) => (counted >= dealt ? counted + 1 : counted), card);
}

/** The hash of a flow, as upstream: a flow has the same queues on every server. */
export function flowHash(schemaName: string, distinguisher: string): bigint {
  const sum = createHash('sha256').update(schemaName).update('\0').update(distinguisher).digest();
  return sum.readBigUInt64LE(0);
}
