import {
  type AdmissionVariables,
  admissionVariables,
  boolType,
  compileExpression,
  declareVariables,
  type Environment,
  ExpressionError,
  type Type,
} from '../../cel/index.ts';
import {
  checkLabelKey,
  duplicate,
  type FieldError,
  invalid,
  type JsonObject,
  own,
  ownList,
  required,
  tooMany,
  isObject,
} from '../../meta/index.ts';
import type { RuleEnvironments } from '../../schema/index.ts';
import { eachIn, textAt } from '../rules/field-checks.ts';
import { type ItemRule, itemRuleErrors } from '../rules/field-rules.ts';

/** How to check an expression. */
interface ExpressionCheck extends Omit<AdmissionVariables, 'variables' | 'object' | 'param'> {
  /** True if the same expression is stored already: it may use functions of newer servers. */
  readonly isStored: boolean;
  /** True for mutations, which have functions for patches. */
  readonly patches?: boolean;
  /** The allowed result types; any if absent. */
  readonly returnTypes?: readonly Type[];
}

/** Checks the expressions of one policy, whose variables build on each other, or of one webhook. */
export class ExpressionChecks {
  readonly #environments: RuleEnvironments;
  readonly #variables: Map<string, Type> | undefined;

  /** @param composes whether the expressions may use `variables` */
  constructor(environments: RuleEnvironments, { composes = false } = {}) {
    this.#environments = environments;
    this.#variables = composes ? new Map() : undefined;
  }

  /** The errors of an expression, at a path. */
  errors(path: string, source: string, check: ExpressionCheck, shown = source): FieldError[] {
    const result = this.#typeOf(source, check);
    return typeof result === 'string' ? [invalid(path, shown, result)] : [];
  }

  /** The errors of a variable, which later expressions may use. */
  variableErrors(path: string, name: string, source: string, check: ExpressionCheck): FieldError[] {
    const result = this.#typeOf(source, check);
    if (typeof result === 'string') return [invalid(path, source, result)];
    this.#variables?.set(name, result);
    return [];
  }

  /** The type of an expression, or the error message. */
  #typeOf(source: string, check: ExpressionCheck): Type | string {
    const { params = false, authorizer = false, returnTypes } = check;
    const variables = this.#variables === undefined ? undefined : declareVariables(this.#variables);
    try {
      const environment = this.#environment(check);
      const declared = admissionVariables({ params, authorizer, variables });
      return compileExpression(source, {
        environment,
        variables: declared,
        ...(returnTypes && { returnTypes }),
      }).type;
    } catch (error) {
      if (error instanceof ExpressionError) return error.message;
      throw error;
    }
  }

  #environment({ isStored, patches = false }: ExpressionCheck): Environment {
    if (patches) return isStored ? this.#environments.patchesStored : this.#environments.patchesNew;
    return isStored ? this.#environments.forStored : this.#environments.forNew;
  }
}

const matchConditionsMax = 64;
const conditionRules: readonly ItemRule[] = [{ path: 'name', required: true, check: checkLabelKey }];

/** The stored expressions of the items of a list. */
export function expressionsIn(
  owner: JsonObject | undefined,
  list: string,
  field: string,
): ReadonlySet<string> {
  const items = owner === undefined ? [] : (ownList(owner, list) ?? []);
  const texts = items.map((item) => (isObject(item) ? own(item, field) : undefined));
  return new Set(texts.filter((text): text is string => typeof text === 'string'));
}

/** The errors of `matchConditions`. */
export function matchConditionsErrors(
  owner: JsonObject,
  path: string,
  options: {
    readonly environments: RuleEnvironments;
    readonly params: boolean;
    readonly stored: ReadonlySet<string>;
  },
): FieldError[] {
  const checks = new ExpressionChecks(options.environments);
  const names = new Set<string>();
  const count = (ownList(owner, 'matchConditions') ?? []).length;
  return [
    ...(count > matchConditionsMax ? [tooMany(`${path}.matchConditions`, count, matchConditionsMax)] : []),
    ...eachIn(path, owner, 'matchConditions', (condition, at) => {
      const [name, expression] = [textAt(condition, 'name'), textAt(condition, 'expression').trim()];
      const isTwin = name !== '' && names.has(name);
      names.add(name);
      const check = {
        params: options.params,
        authorizer: true,
        isStored: options.stored.has(expression),
        returnTypes: [boolType],
      };
      return [
        ...(expression === ''
          ? [required(`${at}.expression`)]
          : checks.errors(`${at}.expression`, expression, check)),
        ...itemRuleErrors(conditionRules, condition, at),
        ...(isTwin ? [duplicate(`${at}.name`, name)] : []),
      ];
    }),
  ];
}
