import type { Ast } from './ast/expression.ts';
import { CelIssues, type Issue } from './ast/issue.ts';
import type { CheckedAst } from './checker/checked-ast.ts';
import { checkTypes } from './checker/checker.ts';
import type { Declarations } from './checker/declarations.ts';
import type { TypeEnvironment } from './checker/type-environment.ts';
import type { Validator } from './checker/validator.ts';
import { CostTable } from './cost/function-costs.ts';
import { type FunctionDeclaration, mergeFunctions } from './functions/function.ts';
import { RegexCache } from './functions/regex-cache.ts';
import type { Library } from './libraries/library.ts';
import { standardMacros } from './parser/macros/standard.ts';
import { type MacroTable, macroTable } from './parser/macro-table.ts';
import { parseExpression } from './parser/parser.ts';
import { standardFunctions } from './stdlib/index.ts';
import type { FindMessageType, MessageType } from './types/message-type.ts';
import * as t from './types/type.ts';

/** The parts of an environment. Everything omitted is off. */
export interface EnvironmentOptions {
  /** In order: overloads of a later library are added to functions of the same name. */
  readonly libraries?: readonly ((regexes: RegexCache) => Library)[];
  readonly optionalSyntax?: boolean;
  readonly crossTypeComparisons?: boolean;
  /** Whether `a.if` selects the field `__if__`. */
  readonly keywordFields?: boolean;
  readonly validators?: readonly Validator[];
  readonly container?: string;
}

const standardTypes: readonly (readonly [string, t.Type])[] = [
  t.boolType,
  t.bytesType,
  t.doubleType,
  t.durationType,
  t.intType,
  t.nullType,
  t.stringType,
  t.timestampType,
  t.typeType,
  t.uintType,
  t.listType(t.dynType),
  t.mapType(t.dynType, t.dynType),
].map((type) => [type.name, type] as const);

/**
 * The language of expressions: functions, macros, types and their costs. It caches compiled patterns, so create one
 * environment and reuse it.
 */
export class Environment implements TypeEnvironment {
  readonly functions: ReadonlyMap<string, FunctionDeclaration>;
  readonly typeNames: ReadonlyMap<string, t.Type>;
  readonly costs: CostTable;
  readonly regexes = new RegexCache();
  readonly crossTypeComparisons: boolean;
  readonly keywordFields: boolean;
  readonly container: string;
  readonly #macros: MacroTable;
  readonly #optionalSyntax: boolean;
  readonly #validators: readonly Validator[];
  readonly #messages: readonly FindMessageType[];

  constructor(options: EnvironmentOptions = {}) {
    const libraries = (options.libraries ?? []).map((library) => library(this.regexes));
    this.functions = mergeFunctions([
      ...standardFunctions(this.regexes),
      ...libraries.flatMap(({ functions = [] }) => functions),
    ]);
    this.#macros = macroTable([...standardMacros, ...libraries.flatMap(({ macros = [] }) => macros)]);
    this.typeNames = new Map([
      ...standardTypes,
      ...libraries.flatMap(({ types = [] }) => types.map((type) => [type.name, type] as const)),
    ]);
    this.#messages = libraries.flatMap(({ messages }) => (messages === undefined ? [] : [messages]));
    this.costs = new CostTable(libraries.flatMap(({ costs }) => (costs === undefined ? [] : [costs])));
    this.#optionalSyntax = options.optionalSyntax ?? false;
    this.crossTypeComparisons = options.crossTypeComparisons ?? false;
    this.keywordFields = options.keywordFields ?? false;
    this.#validators = options.validators ?? [];
    this.container = options.container ?? '';
  }

  messageType(name: string): MessageType | undefined {
    for (const find of this.#messages) {
      const found = find(name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Parses an expression and expands its macros. Throws CelIssues. */
  parse(source: string): Ast {
    return parseExpression(source, {
      macros: this.#macros,
      optionalSyntax: this.#optionalSyntax,
      escapedIdentifiers: true,
    });
  }

  /** Type-checks a parsed expression. Throws CelIssues. */
  check(ast: Ast, declarations: Declarations): CheckedAst {
    const checked = checkTypes(ast, this, declarations);
    const issues: Issue[] = this.#validators.flatMap((validate) => validate(checked, this));
    if (issues.length > 0) throw new CelIssues(ast.source, issues);
    return checked;
  }
}
