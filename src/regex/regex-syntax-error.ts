/**
 * A pattern that is not RE2 syntax. `message` is that of Go's regexp.Compile, which Kubernetes and CEL quote.
 */
export class RegexSyntaxError extends Error {
  override readonly name = 'RegexSyntaxError';
  /** The error, in Go's words: `missing closing )`. */
  readonly reason: string;
  /** The invalid part of the pattern, or all of it. */
  readonly fragment: string;

  constructor(reason: string, fragment: string) {
    super(`error parsing regexp: ${reason}: \`${fragment}\``);
    this.reason = reason;
    this.fragment = fragment;
  }
}
