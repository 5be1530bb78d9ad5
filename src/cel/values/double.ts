/** A boxed double, to distinguish it from an int; see value.ts. */
export class CelDouble {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}
