import {
  type AdmissionVariables,
  admissionVariables,
  type Bindings,
  CelDouble,
  CelError,
  type Compiled,
  compileExpression,
  type CostBudget,
  declareVariables,
  type Environment,
  ExpressionError,
  LazyFields,
  type Type,
  type DeclaredType,
} from '../../cel/index.ts';
import { isObject, type JsonObject, ownList, ownString } from '../../meta/index.ts';
import type { AdmissionBindings } from '../expressions/evaluator.ts';

interface Variable {
  readonly name: string;
  /** A text is the reason why it cannot be evaluated. */
  readonly compiled: Compiled | string;
}

/** The variables of a policy: each is evaluated on first use, once for each write and parameter. */
export class PolicyVariables {
  readonly #variables: readonly Variable[];
  readonly #types = new Map<string, Type>();
  readonly #Values: ReturnType<typeof LazyFields.withFields>;

  constructor(spec: JsonObject, environment: Environment, options: AdmissionVariables) {
    this.#variables = (ownList(spec, 'variables') ?? []).filter(isObject).map((variable) => {
      const name = ownString(variable, 'name') ?? '';
      const compiled = this.#compile(ownString(variable, 'expression') ?? '', environment, options);
      if (typeof compiled !== 'string') this.#types.set(name, compiled.type);
      return { name, compiled };
    });
    this.#Values = LazyFields.withFields(this.#variables.map(({ name }) => name));
  }

  /** The declarations for the expressions after the variables. */
  declarations(options: AdmissionVariables): Readonly<Record<string, DeclaredType>> {
    return admissionVariables({ ...options, variables: declareVariables(this.#types) });
  }

  #compile(source: string, environment: Environment, options: AdmissionVariables): Compiled | string {
    try {
      return compileExpression(source, { environment, variables: this.declarations(options) });
    } catch (error) {
      if (error instanceof ExpressionError) return error.message;
      throw error;
    }
  }

  /** Adds `variables` to the bindings; the cost of a variable is charged to the budget. */
  bind(bindings: AdmissionBindings, budget: CostBudget): AdmissionBindings {
    if (this.#variables.length === 0) return bindings;
    bindings.variables = new this.#Values((index) => {
      const variable = this.#variables[index];
      return variable && variableValue(variable, { bindings, budget });
    });
    return bindings;
  }
}

/** Source of the messages: apiserver, admission/plugin/cel/composition.go. */
function variableValue(
  { name, compiled }: Variable,
  { bindings, budget }: { readonly bindings: Bindings; readonly budget: CostBudget },
): unknown {
  if (typeof compiled === 'string')
    return new CelError(`composited variable "${name}" fails to compile: ${compiled}`);
  const evaluation = compiled.program.evaluate(bindings, { budget });
  const { value, error } = evaluation;
  budget.observer?.({ program: compiled.program, bindings, evaluation });
  if (error !== undefined)
    return new CelError(`composited variable "${name}" fails to evaluate: ${error.message}`);
  // Declared doubles are read as plain numbers.
  return value instanceof CelDouble && compiled.type.kind === 'double' ? value.value : value;
}
