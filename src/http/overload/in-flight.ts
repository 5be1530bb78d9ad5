/**
 * The maximum number of concurrent requests; watches do not count.
 * Source: apiserver, filters/maxinflight.go.
 */
export class InFlight {
  readonly #max: number;
  #count = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get count(): number {
    return this.#count;
  }

  /** Takes a place; false if all are taken. */
  enter(): boolean {
    if (this.#count >= this.#max) return false;
    this.#count += 1;
    return true;
  }

  leave(): void {
    this.#count -= 1;
  }
}
