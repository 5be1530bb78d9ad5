/** The position of a match in UTF-16 code units, as for `String.prototype.slice`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}
