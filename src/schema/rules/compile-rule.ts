import {
  CelIssues,
  type CheckedAst,
  childrenOf,
  declare,
  Declarations,
  type DeclaredType,
  type Environment,
  estimateCost,
  type Expr,
  Program,
  UnusableProgram,
} from '../../cel/index.ts';
import type { JsonObject } from '../../meta/index.ts';

/** A compiled expression. */
export interface RuleExpression {
  readonly program: Program;
  readonly usesOldSelf: boolean;
  /** The estimated cost of one evaluation by the declared sizes. */
  readonly costMax: () => bigint;
}

/** One compiled entry of `x-kubernetes-validations`, or its errors. */
export interface CompiledRule {
  readonly rule: JsonObject;
  /** Undefined if the rule is empty or invalid. */
  readonly expression?: RuleExpression;
  readonly error?: string;
  readonly message?: RuleExpression;
  readonly messageError?: string;
}

/** The environment of an expression. */
export interface EnvironmentFor {
  rule(expression: string): Environment;
  message(expression: string): Environment;
}

/** The variables of a schema's rules. */
export class RuleVariables {
  readonly #self: DeclaredType;
  #plain: Declarations | undefined;
  #optional: Declarations | undefined;

  constructor(self: DeclaredType) {
    this.#self = self;
  }

  /** `self` and `oldSelf`, which is an optional for rules with `optionalOldSelf`. */
  get(optionalOldSelf: boolean): Declarations {
    if (optionalOldSelf) {
      this.#optional ??= new Declarations([
        ['self', this.#self],
        ['oldSelf', declare.optional(this.#self)],
      ]);
      return this.#optional;
    }
    this.#plain ??= new Declarations([
      ['self', this.#self],
      ['oldSelf', this.#self],
    ]);
    return this.#plain;
  }
}

/** A string field of a rule; empty if missing. */
export function ruleText(
  rule: JsonObject,
  field: 'rule' | 'message' | 'messageExpression' | 'fieldPath',
): string {
  const value = rule[field];
  return typeof value === 'string' ? value : '';
}

/** Compiles one rule. Source: pkg/apiserver/schema/cel/compilation.go of k8s.io/apiextensions-apiserver. */
export function compileRule(
  rule: JsonObject,
  variables: RuleVariables,
  environments: EnvironmentFor,
): CompiledRule {
  const source = ruleText(rule, 'rule');
  if (source.trim() === '') return { rule };
  const declarations = variables.get(rule['optionalOldSelf'] === true);
  const expression = compileExpression(source, environments.rule(source), declarations, ruleTexts);
  if (typeof expression === 'string') return { rule, error: expression };
  const messageSource = ruleText(rule, 'messageExpression');
  if (messageSource === '') return { rule, expression };
  const environment = environments.message(messageSource);
  const message = compileExpression(messageSource, environment, declarations, messageTexts);
  return typeof message === 'string'
    ? { rule, expression, messageError: message }
    : { rule, expression, message };
}

interface ExpressionTexts {
  readonly kind: 'bool' | 'string';
  readonly wrongType: string;
  readonly notCompiled: string;
  readonly notUsable: string;
}

const ruleTexts: ExpressionTexts = {
  kind: 'bool',
  wrongType: 'cel expression must evaluate to a bool',
  notCompiled: 'compilation failed: ',
  notUsable: 'program instantiation failed: ',
};
const messageTexts: ExpressionTexts = {
  kind: 'string',
  wrongType: 'messageExpression must evaluate to a string',
  notCompiled: 'messageExpression compilation failed: ',
  notUsable: 'messageExpression instantiation failed: ',
};

/** Returns the compiled expression, or its error. */
function compileExpression(
  source: string,
  environment: Environment,
  declarations: Declarations,
  texts: ExpressionTexts,
): RuleExpression | string {
  try {
    const ast = environment.check(environment.parse(source), declarations);
    if (ast.type.kind !== texts.kind) return texts.wrongType;
    const program = new Program(ast, environment);
    return {
      program,
      usesOldSelf: usesOldSelf(ast, ast.expr),
      costMax: () => estimateCost(ast, environment.costs).max,
    };
  } catch (error) {
    if (error instanceof CelIssues) return texts.notCompiled + error.message;
    if (error instanceof UnusableProgram) return texts.notUsable + error.message;
    throw error;
  }
}

function usesOldSelf(ast: CheckedAst, expr: Expr): boolean {
  const reference = ast.reference(expr);
  if (reference?.kind === 'ident' && reference.name === 'oldSelf') return true;
  return childrenOf(expr).some((child) => usesOldSelf(ast, child));
}
