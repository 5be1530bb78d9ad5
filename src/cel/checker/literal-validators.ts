import type { Issue } from '../ast/issue.ts';
import { dispatch } from '../functions/function.ts';
import { isError } from '../values/cel-error.ts';
import type { Value } from '../values/value.ts';
import { nodesOf, type Validator, type ValidatorContext } from './validator.ts';

/** Validates a literal argument of one function. */
function literalArgument(
  name: string,
  place: number,
  isValid: (value: Value, context: ValidatorContext) => boolean,
): Validator {
  return (ast, context) => {
    const issues: Issue[] = [];
    for (const node of nodesOf(ast.expr)) {
      if (node.kind !== 'call' || node.name !== name) continue;
      const arg = node.args[place];
      if (arg?.kind !== 'const' || isValid(arg.value, context)) continue;
      issues.push({ message: `invalid ${name} argument`, offset: ast.offsets[arg.id] ?? -1 });
    }
    return issues;
  };
}

function converts(name: string): (value: Value, context: ValidatorContext) => boolean {
  return (value, { functions }) => {
    const declaration = functions.get(name);
    return declaration === undefined || !isError(dispatch(declaration, false, [value]));
  };
}

/** Invalid duration, timestamp and pattern literals. */
export const literalValidators: readonly Validator[] = [
  literalArgument('duration', 0, converts('duration')),
  literalArgument('timestamp', 0, converts('timestamp')),
  literalArgument(
    'matches',
    0,
    (value, { regexes }) => typeof value !== 'string' || !isError(regexes.get(value)),
  ),
];
