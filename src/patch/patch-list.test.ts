import { expect, test } from 'vitest';
import { PatchList } from './patch-list.ts';
import { seededRandom } from '../meta/index.ts';

/** Random integers below a bound, determined by a seed. */
function randomOf(seed: number): (below: number) => number {
  const random = seededRandom(seed);
  return (below) => Math.floor(random() * below);
}

test.each([
  [1, 0],
  [2, 3],
  [3, 2_000],
])('random changes give what they give in an array (seed %i, %i items)', (seed, length) => {
  const random = randomOf(seed);
  const model: number[] = Array.from({ length }, (_, index) => index);
  const list = new PatchList(model);
  for (let step = 0; step < 5_000; step += 1) {
    const end = random(3) === 0;
    const choice = random(step < 2_500 ? 4 : 5);
    if (choice < 2) {
      const index = end ? model.length : random(model.length + 1);
      model.splice(index, 0, step);
      list.insert(index, step);
    } else if (model.length > 0) {
      const index = random(model.length);
      if (choice === 2) {
        model[index] = -step;
        list.set(index, -step);
      } else {
        model.splice(index, 1);
        list.remove(index);
      }
    }
    const looked = random(model.length + 2);
    expect(list.at(looked)).toBe(model[looked]);
    expect(list.length).toBe(model.length);
  }
  expect(list.items()).toEqual(model);
});
