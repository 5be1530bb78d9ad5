import { invariant } from '../meta/index.ts';
import type { Place } from './place.ts';

/** Running requests, in no particular order. Each knows its index: a set would hash every request twice. */
export class RunningPlaces {
  readonly #places: Place[] = [];

  get size(): number {
    return this.#places.length;
  }

  [Symbol.iterator](): Iterator<Place> {
    return this.#places.values();
  }

  add(place: Place): void {
    place.runningAt = this.#places.length;
    this.#places.push(place);
  }

  /** The last one takes its index. */
  delete(place: Place): void {
    const last = this.#places.pop();
    invariant(last !== undefined && place.runningAt >= 0, 'only what runs can end');
    if (last !== place) {
      this.#places[place.runningAt] = last;
      last.runningAt = place.runningAt;
    }
    place.runningAt = -1;
  }
}
