import { createHash } from 'node:crypto';

/** More entropy than a hash of a flow gives to deal from. Source: apiserver, util/shufflesharding. */
export const hashBitsMax = 60;

/** How many bits of a hash a deal uses up. */
export function requiredEntropyBits(deckSize: number, handSize: number): number {
  return Math.ceil(Math.log2(deckSize) * handSize);
}

/** The queues that a flow may wait in: `handSize` different ones of `deckSize`, the same ones each time. */
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

/** A card counted among those that are left, counted among all. */
function cardAmongAll(card: number, before: readonly number[]): number {
  return before.reduceRight((counted, dealt) => (counted >= dealt ? counted + 1 : counted), card);
}

/** The hash of a flow, as upstream has it: so the queues of a flow are the same ones on every server. */
export function flowHash(schemaName: string, distinguisher: string): bigint {
  const sum = createHash('sha256').update(schemaName).update('\0').update(distinguisher).digest();
  return sum.readBigUInt64LE(0);
}
