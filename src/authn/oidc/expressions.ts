import {
  CelDouble,
  CelError,
  CelList,
  type Compiled,
  CostBudget,
  compileExpression,
  type DeclaredType,
  declare,
  type Expr,
  newExpressions,
  type Type,
  type Value,
} from '../../cel/index.ts';
import {
  type Clock,
  type JsonValue,
  limits,
  minCompatibilityVersion,
  type UserInfo,
} from '../../meta/index.ts';

const { string, list, map, object, dyn } = declare;

const variables: Readonly<Record<'claims' | 'user', Readonly<Record<string, DeclaredType>>>> = {
  claims: { claims: map(dyn()) },
  user: {
    user: object('kubernetes.UserInfo', [
      ['username', string()],
      ['uid', string()],
      ['groups', list(string())],
      ['extra', map(list(string()))],
    ]),
  },
};

/** Compiles the CEL expressions of a configuration. */
export class IdentityExpressions {
  readonly #clock: Clock;
  readonly #environment = newExpressions(minCompatibilityVersion);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * @param returnTypes the allowed types; any if omitted
   * @throws {ExpressionError} if it does not compile or has another type
   */
  compile(source: string, variable: 'claims' | 'user', returnTypes?: readonly Type[]): IdentityExpression {
    const environment = this.#environment;
    const compiled = compileExpression(source, {
      environment,
      variables: variables[variable],
      ...(returnTypes && { returnTypes }),
    });
    return new IdentityExpression(compiled, { source, variable, clock: this.#clock });
  }
}

/** An expression over the claims of a token, or over the mapped user. */
export class IdentityExpression {
  readonly source: string;
  readonly #compiled: Compiled;
  readonly #variable: string;
  readonly #clock: Clock;

  constructor(
    compiled: Compiled,
    {
      source,
      variable,
      clock,
    }: { readonly source: string; readonly variable: string; readonly clock: Clock },
  ) {
    this.source = source;
    this.#compiled = compiled;
    this.#variable = variable;
    this.#clock = clock;
  }

  /** The syntax tree of the expression. */
  get expr(): Expr {
    return this.#compiled.ast.expr;
  }

  /** @throws {Error} if the evaluation fails */
  evaluate(subject: unknown): Value {
    const end = this.#clock.now() + limits.ruleTimeMsMax;
    const budget = new CostBudget(limits.matchConditionsCostMax, () => this.#clock.now() > end);
    const { value, error } = this.#compiled.program.evaluate({ [this.#variable]: subject }, { budget });
    if (error !== undefined)
      throw new Error(`expression '${this.source}' resulted in error: ${error.message}`);
    return value;
  }
}

/** Claims in expressions: numbers are doubles, like JSON numbers in Go. */
export function claimsValue(value: JsonValue): unknown {
  if (typeof value === 'number' || typeof value === 'bigint') return new CelDouble(Number(value));
  if (Array.isArray(value)) return value.map(claimsValue);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, claimsValue(one as JsonValue)]));
}

/** A user in expressions. */
export function userValue({ name, uid = '', groups, extra = new Map() }: UserInfo): unknown {
  return {
    username: name,
    uid,
    groups: [...groups],
    extra: Object.fromEntries([...extra].map(([key, values]) => [key, [...values]])),
  };
}

/** A string or a list of strings; empty ones are dropped. @throws {Error} for anything else */
export function textsOf(value: Value): string[] {
  const fault = 'expression must return a string or a list of strings';
  if (value === null || value === '') return [];
  if (typeof value === 'string') return [value];
  const elements = value instanceof CelList ? value.elements() : undefined;
  if (elements === undefined || elements instanceof CelError) throw new Error(fault);
  return elements.flatMap((one) => {
    if (typeof one !== 'string') throw new Error(fault);
    return one === '' ? [] : [one];
  });
}
