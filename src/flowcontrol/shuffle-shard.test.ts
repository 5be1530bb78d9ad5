import { expect, test } from 'vitest';
import { dealHand, flowHash, requiredEntropyBits } from './shuffle-shard.ts';

test.each([
  [64, 8, 48],
  [128, 6, 42],
  [512, 8, 72],
  [1, 1, 0],
])('a deal of %i cards, %i each, takes %s bits', (deckSize, handSize, bits) =>
  expect(requiredEntropyBits(deckSize, handSize)).toBe(bits),
);

test('a hand has distinct cards, the same for the same hash', () => {
  for (let at = 0; at < 500; at += 1) {
    const hand = dealHand(flowHash('schema', `user-${at}`), { deckSize: 64, handSize: 6 });
    expect(new Set(hand).size).toBe(6);
    expect(hand.every((card) => card >= 0 && card < 64)).toBe(true);
    expect(dealHand(flowHash('schema', `user-${at}`), { deckSize: 64, handSize: 6 })).toEqual(hand);
  }
});

test('every hand is equally likely', () => {
  const seen = new Map<string, number>();
  for (let hash = 0n; hash < 60n; hash += 1n) {
    const hand = dealHand(hash, { deckSize: 5, handSize: 3 }).join();
    seen.set(hand, (seen.get(hand) ?? 0) + 1);
  }
  expect([seen.size, ...new Set(seen.values())]).toEqual([60, 1]);
});

test('hands of different flows rarely share all queues', () => {
  const hands = Array.from({ length: 100 }, (_, at) =>
    dealHand(flowHash('s', String(at)), { deckSize: 128, handSize: 6 }),
  );
  const [first = [], ...others] = hands;
  const covered = others.filter((hand) => first.every((card) => hand.includes(card)));
  expect(covered).toEqual([]);
});
