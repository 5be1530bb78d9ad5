import {
  boolType,
  CelIssues,
  type CheckedAst,
  childrenOf,
  compile,
  type Compiled,
  CostBudget,
  Declarations,
  type Environment,
  type Expr,
  Program,
  UnusableProgram,
  WrongResultType,
} from '../../cel/index.ts';
import { badRequestError, type FieldText, limits } from '../../meta/index.ts';
import type { FilterField, FilterFields } from './filter-fields.ts';
import type { FilterTime } from './filter-time.ts';

/** Returns the text of a field of an object. */
type TextOf = (fieldPath: string) => FieldText;

/** A CEL expression over selectable fields that selects objects. */
export class Filter {
  readonly ast: CheckedAst;
  /** The cost limit of one evaluation. */
  readonly cost: number;
  /** The fields that it reads; all if it does not read them individually. */
  readonly fields: readonly FilterField[];
  readonly #filterFields: FilterFields;
  readonly #environment: Environment;
  readonly #program: Program;
  readonly #parts = new Map<Expr, (textOf: TextOf, time: FilterTime) => unknown>();

  /** @throws {StatusError} 400 for an expression that does not parse or type-check, is not a bool, or costs too much */
  constructor(source: string, fields: FilterFields, environment: Environment) {
    const { ast, program, cost } = compiled(source, fields, environment);
    this.ast = ast;
    this.cost = Number(cost.max);
    this.fields = fieldsIn(ast.expr, fields);
    this.#filterFields = fields;
    this.#environment = environment;
    this.#program = program;
    if (this.cost > limits.filterCallCostMax) {
      const text = `one evaluation may cost ${this.cost}, more than ${limits.filterCallCostMax}`;
      throw badRequestError(`invalid filter: ${text}`);
    }
  }

  /** True if the object is selected. An object for which the evaluation fails, because a field is absent, is not. */
  holds(textOf: TextOf, time: FilterTime): boolean {
    return this.#run(this.#program, this.fields, { textOf, time }) === true;
  }

  /** The field that a subexpression is. */
  fieldOf(expr: Expr): FilterField | undefined {
    return this.#filterFields.fieldOf(expr);
  }

  /** The fields that a subexpression reads. */
  fieldsIn(expr: Expr): readonly FilterField[] {
    return fieldsIn(expr, this.#filterFields);
  }

  /** A subexpression as a function of its fields; undefined stands for an error. */
  part(expr: Expr): (textOf: TextOf, time: FilterTime) => unknown {
    const known = this.#parts.get(expr);
    if (known !== undefined) return known;
    const program = new Program(this.ast.part(expr), this.#environment);
    const fields = this.fieldsIn(expr);
    const part = (textOf: TextOf, time: FilterTime) => this.#run(program, fields, { textOf, time });
    this.#parts.set(expr, part);
    return part;
  }

  #run(
    program: Program,
    fields: readonly FilterField[],
    { textOf, time }: { textOf: TextOf; time: FilterTime },
  ): unknown {
    const bindings = this.#filterFields.bindings(fields, textOf);
    const isUp = time.begin();
    let ranOut = false;
    const interrupt = () => (ranOut = isUp());
    const budget = new CostBudget(limits.filterCallCostMax, interrupt);
    const { value } = program.evaluate(bindings, { costLimit: limits.filterCallCostMax, budget });
    if (ranOut) time.ranOut();
    return value;
  }
}

function compiled(source: string, fields: FilterFields, environment: Environment): Compiled {
  if (source.length > limits.filterCharsMax) {
    throw badRequestError(`invalid filter: longer than ${limits.filterCharsMax} characters`);
  }
  try {
    const variables = new Declarations(Object.entries(fields.variables()));
    return compile(source, environment, { variables, expectedType: boolType });
  } catch (error) {
    const known =
      error instanceof CelIssues || error instanceof WrongResultType || error instanceof UnusableProgram;
    throw known ? badRequestError(`invalid filter: ${error.message}`) : error;
  }
}

/** The fields that an expression reads; all if it uses an object as a whole. */
function fieldsIn(root: Expr, fields: FilterFields): readonly FilterField[] {
  const found = new Set<FilterField>();
  const visit = (expr: Expr): void => {
    const field = fields.fieldOf(expr);
    if (field !== undefined) found.add(field);
    else if (expr.kind === 'ident' && fields.isVariable(expr.name)) for (const one of fields) found.add(one);
    else for (const child of childrenOf(expr)) visit(child);
  };
  visit(root);
  return [...found];
}
