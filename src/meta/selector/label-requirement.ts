import { aggregateText, type FieldError, invalid } from '../refusal/field-error.ts';
import { FieldPath } from '../refusal/field-path.ts';
import { NumberSyntaxError, parseInt64 } from '../go/go-number.ts';
import { compareBytes } from '../go/go-text.ts';
import { checkLabelKey, checkLabelValue } from '../names/names.ts';
import { SelectorError } from './selector-error.ts';

/** The operators, spelled as in k8s.io/apimachinery/pkg/selection. */
export type LabelOperator = '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | 'gt' | 'lt';

/** One condition of a label selector. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  /** Sorted and unique; none for `exists` and `!`, one for all but `in` and `notin`. */
  readonly values: readonly string[];
}

const valuesRules: ReadonlyMap<LabelOperator, { fits(count: number): boolean; text: string }> = new Map([
  ...both('in', 'notin', (n) => n > 0, "for 'in', 'notin' operators, values set can't be empty"),
  ...both('=', '==', (n) => n === 1, 'exact-match compatibility requires one single value'),
  ...both('!=', '!=', (n) => n === 1, 'exact-match compatibility requires one single value'),
  ...both('exists', '!', (n) => n === 0, 'values set must be empty for exists and does not exist'),
  ...both('gt', 'lt', (n) => n === 1, "for 'Gt', 'Lt' operators, exactly one value is required"),
]);

function both(a: LabelOperator, b: LabelOperator, fits: (count: number) => boolean, text: string) {
  return [[a, { fits, text }] as const, [b, { fits, text }] as const];
}

/**
 * Makes a requirement and checks it.
 *
 * @throws {SelectorError} for an invalid key, an invalid value or the wrong number of values.
 */
export function labelRequirement(
  key: string,
  operator: LabelOperator,
  values: readonly string[],
): LabelRequirement {
  const errors: FieldError[] = [];
  const keyWrong = checkLabelKey(key);
  if (keyWrong.length > 0) errors.push(invalid('key', key, keyWrong.join('; ')));
  const path = FieldPath.of('values');
  const rule = valuesRules.get(operator);
  if (rule !== undefined && !rule.fits(values.length)) {
    // Go prints a nil slice as null.
    errors.push(invalid(path, values.length === 0 ? null : [...values], rule.text));
  }
  if (operator === 'gt' || operator === 'lt') errors.push(...integerErrors(path, values));
  values.forEach((value, index) => {
    const wrong = checkLabelValue(value);
    if (wrong.length > 0) errors.push(invalid(path.index(index).key(key), value, wrong.join('; ')));
  });
  if (errors.length > 0) throw new SelectorError(aggregateText(errors));
  return Object.freeze({
    key,
    operator,
    values: Object.freeze([...new Set(values)].sort(compareBytes)),
  });
}

function integerErrors(path: FieldPath, values: readonly string[]): FieldError[] {
  return values.flatMap((value, index) =>
    int64(value) === undefined
      ? [invalid(path.index(index), value, "for 'Gt', 'Lt' operators, the value must be an integer")]
      : [],
  );
}

function int64(text: string): bigint | undefined {
  try {
    return parseInt64(text);
  } catch (error) {
    if (error instanceof NumberSyntaxError) return undefined;
    throw error;
  }
}

/** Returns the value of a label; a map is one. */
export type Labels = Pick<ReadonlyMap<string, string>, 'get'>;

/** Whether labels meet the requirement. An absent key meets `!=` and `notin`, never `>` and `<`. */
export function meetsLabelRequirement(requirement: LabelRequirement, labels: Labels): boolean {
  const value = labels.get(requirement.key);
  switch (requirement.operator) {
    case 'in':
    case '=':
    case '==':
      return value !== undefined && requirement.values.includes(value);
    case 'notin':
    case '!=':
      return value === undefined || !requirement.values.includes(value);
    case 'exists':
      return value !== undefined;
    case '!':
      return value === undefined;
    case 'gt':
    case 'lt':
      return value !== undefined && meetsComparison(requirement, value);
  }
}

function meetsComparison({ operator, values }: LabelRequirement, text: string): boolean {
  const value = int64(text);
  const bound = int64(values[0] ?? '');
  if (value === undefined || bound === undefined) return false;
  return operator === 'gt' ? value > bound : value < bound;
}

/** The requirement as text: `k`, `!k`, `k=v`, `k in (a,b)`, `k>1`. */
export function labelRequirementText({ key, operator, values }: LabelRequirement): string {
  const list = values.join(',');
  switch (operator) {
    case 'exists':
      return key;
    case '!':
      return `!${key}`;
    case 'in':
    case 'notin':
      return `${key} ${operator} (${list})`;
    case 'gt':
      return `${key}>${list}`;
    case 'lt':
      return `${key}<${list}`;
    default:
      return `${key}${operator}${list}`;
  }
}
