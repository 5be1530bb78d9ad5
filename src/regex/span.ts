/** Where a match lies in the text, in UTF-16 code units, as `String.prototype.slice` takes them. */
export interface Span {
  readonly start: number;
  readonly end: number;
}
