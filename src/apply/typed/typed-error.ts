/** One thing in a value that its merge type does not allow. */
export interface TypedProblem {
  /** As conflicts print paths: `.spec.list[name="a"]`; empty for the root. */
  readonly path: string;
  readonly message: string;
}

/** A value that does not have the merge type it should have. */
export class TypedError extends Error {
  override readonly name = 'TypedError';
  readonly problems: readonly TypedProblem[];

  constructor(problems: readonly TypedProblem[]) {
    super(problemsText(problems));
    this.problems = problems;
  }
}

/** `.spec.x: field not declared in schema`; several stand one a line under `errors:`. */
export function problemsText(problems: readonly TypedProblem[]): string {
  const texts = problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  return texts.length === 1 ? texts.join('') : ['errors:', ...texts.map((text) => `  ${text}`)].join('\n');
}
