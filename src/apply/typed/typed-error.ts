/** One violation of a merge type by a value. */
export interface TypedProblem {
  /** As conflict messages print paths: `.spec.list[name="a"]`; empty for the root. */
  readonly path: string;
  readonly message: string;
}

/** A value that does not match its merge type. */
export class TypedError extends Error {
  override readonly name = 'TypedError';
  readonly problems: readonly TypedProblem[];

  constructor(problems: readonly TypedProblem[]) {
    super(problemsText(problems));
    this.problems = problems;
  }
}

/** `.spec.x: field not declared in schema`; several are printed one per line under `errors:`. */
export function problemsText(problems: readonly TypedProblem[]): string {
  const texts = problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  return texts.length === 1 ? texts.join('') : ['errors:', ...texts.map((text) => `  ${text}`)].join('\n');
}
