/** A double that travels among values of other types; see value.ts. */
export class CelDouble {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}
