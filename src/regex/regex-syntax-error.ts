/**
 * A pattern that is not RE2 syntax. `message` is the text that Go's regexp.Compile gives for the same pattern,
 * which Kubernetes and CEL quote in their own messages.
 */
export class RegexSyntaxError extends Error {
  override readonly name = 'RegexSyntaxError';
  /** What is wrong, in Go's words: `missing closing )`. */
  readonly reason: string;
  /** The part of the pattern that is wrong, or the whole of it. */
  readonly fragment: string;

  constructor(reason: string, fragment: string) {
    super(`error parsing regexp: ${reason}: \`${fragment}\``);
    this.reason = reason;
    this.fragment = fragment;
  }
}
