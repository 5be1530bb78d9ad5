import {
  type Ast,
  type CallExpr,
  type ComprehensionExpr,
  type ConstExpr,
  type Expr,
  type ExprVisitor,
  type IdentExpr,
  type ListExpr,
  type MapExpr,
  type SelectExpr,
  type StructExpr,
  visitExpr,
} from '../ast/expression.ts';
import { CelIssues, type Issue } from '../ast/issue.ts';
import type { FunctionDeclaration, Overload } from '../functions/function.ts';
import { fieldOf } from '../types/declared-type.ts';
import * as t from '../types/type.ts';
import type { Type } from '../types/type.ts';
import { CelType } from '../values/type-value.ts';
import { areAssignable, isAssignable, isDynOrError, joinTypes } from './assignability.ts';
import { type CallReference, CheckedAst, type IdentReference } from './checked-ast.ts';
import { constantType } from './constant-type.ts';
import type { Declarations } from './declarations.ts';
import { iterationTypes } from './iteration-types.ts';
import { fieldMismatch, findMessageType } from './message-types.ts';
import { qualifiedName } from './qualified-name.ts';
import { Scope } from './scope.ts';
import { Substitutions } from './substitutions.ts';
import { candidateNames, isCrossTypeComparison, type TypeEnvironment } from './type-environment.ts';

/** Assigns a type to every node, as cel-go does. Throws CelIssues with cel-go's messages. */
export function checkTypes(ast: Ast, environment: TypeEnvironment, declarations: Declarations): CheckedAst {
  const checker = new Checker(ast, environment, declarations);
  const expr = checker.check(ast.expr);
  if (checker.issues.length > 0) throw new CelIssues(ast.source, checker.issues);
  const { source, offsets } = ast;
  return new CheckedAst({
    expr,
    source,
    offsets,
    declarations,
    types: checker.finalTypes(),
    references: checker.references,
  });
}

interface ResolvedIdent {
  readonly type: Type;
  readonly reference: IdentReference;
}

class Checker implements ExprVisitor<Expr> {
  readonly issues: Issue[] = [];
  readonly references: (IdentReference | CallReference | undefined)[] = [];
  readonly #ast: Ast;
  readonly #environment: TypeEnvironment;
  readonly #declarations: Declarations;
  readonly #substitutions = new Substitutions();
  readonly #types: (Type | undefined)[] = [];
  #scope: Scope | undefined;
  #freeTypes = 0;

  constructor(ast: Ast, environment: TypeEnvironment, declarations: Declarations) {
    this.#ast = ast;
    this.#environment = environment;
    this.#declarations = declarations;
  }

  finalTypes(): (Type | undefined)[] {
    return this.#types.map((type) => type && this.#substitutions.apply(type, true));
  }

  check(expr: Expr): Expr {
    return visitExpr(expr, this);
  }

  const(expr: ConstExpr): Expr {
    this.#types[expr.id] = constantType(expr.value);
    return expr;
  }

  ident(expr: IdentExpr): Expr {
    const resolved = this.#resolve([expr.name]);
    if (resolved !== undefined) return this.#resolvedIdent(expr.id, resolved);
    this.#types[expr.id] = t.errorType;
    this.#undeclared(expr, expr.name);
    return expr;
  }

  #resolvedIdent(id: number, { type, reference }: ResolvedIdent): Expr {
    this.#types[id] = type;
    this.references[id] = reference;
    return { kind: 'ident', id, name: reference.name };
  }

  /** The referent of `a.b.c` as one name; comprehension variables have simple names and shadow others. */
  #resolve(parts: readonly string[]): ResolvedIdent | undefined {
    const [first = ''] = parts;
    const local = first.startsWith('.') ? undefined : this.#scope?.find(first);
    if (local !== undefined) {
      return parts.length === 1
        ? { type: local, reference: { kind: 'ident', name: first, value: undefined } }
        : undefined;
    }
    const isHidden = this.#scope?.find(first.replace('.', '')) !== undefined;
    for (const candidate of candidateNames(this.#environment.container, parts.join('.'))) {
      const found = this.#global(candidate, isHidden);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #global(name: string, isHidden: boolean): ResolvedIdent | undefined {
    const variable = this.#declarations.variables.get(name);
    const reference = { kind: 'ident', name: isHidden ? `.${name}` : name } as const;
    if (variable !== undefined) return { type: variable.type, reference: { ...reference, value: undefined } };
    const message = this.#environment.messageType(name);
    // Upstream's message types have names for which no program can be created.
    if (message !== undefined)
      return { type: t.typeOfType(message.type), reference: { ...reference, value: undefined } };
    const type = this.#environment.typeNames.get(name);
    return type && { type: t.typeOfType(type), reference: { ...reference, value: new CelType(type.name) } };
  }

  select(expr: SelectExpr): Expr {
    const parts = expr.test ? undefined : qualifiedName(expr);
    const resolved = parts && this.#resolve(parts);
    if (resolved !== undefined) return this.#resolvedIdent(expr.id, resolved);
    const operand = this.check(expr.operand);
    const type = this.#fieldType(expr, operand, expr.field, false);
    this.#types[expr.id] = expr.test ? t.boolType : this.#substitutions.apply(type, false);
    return { ...expr, operand };
  }

  #fieldType(expr: Expr, operand: Expr, field: string, optional: boolean): Type {
    const operandType = this.#typeOf(operand);
    const target = t.unwrapOptional(operandType);
    const type = this.#plainFieldType(expr, target, field);
    return t.isOptionalType(operandType) || optional ? t.optionalType(type) : type;
  }

  #plainFieldType(expr: Expr, target: Type, field: string): Type {
    switch (target.kind) {
      case 'map':
        return t.elementType(target);
      case 'struct':
        return this.#declaredField(expr.id, target.name, field);
      case 'typeParam':
        this.#assignable(t.dynType, target);
        return t.dynType;
      default:
        if (!isDynOrError(target)) {
          this.#report(expr.id, `type '${t.formatType(target)}' does not support field selection`);
        }
        return t.dynType;
    }
  }

  #declaredField(id: number, structName: string, field: string): Type {
    const declaration = this.#declarations.object(structName);
    if (declaration === undefined && this.#environment.messageType(structName) !== undefined)
      return this.#messageField(id, structName, field);
    if (declaration === undefined) {
      this.#report(id, `unexpected failed resolution of '${structName}'`);
      return t.errorType;
    }
    const found = this.#environment.keywordFields
      ? fieldOf(declaration, field)
      : declaration.fields.get(field);
    const type = found?.isHidden === true ? undefined : found?.type.type;
    if (type === undefined) this.#report(id, `undefined field '${field}'`);
    return type ?? t.errorType;
  }

  #messageField(id: number, messageName: string, field: string): Type {
    const type = this.#environment.messageType(messageName)?.fieldType(field);
    if (type === undefined) this.#report(id, `undefined field '${field}'`);
    return type ?? t.errorType;
  }

  call(expr: CallExpr): Expr {
    if (expr.name === '_?._') return this.#optionalSelect(expr);
    const args = expr.args.map((arg) => this.check(arg));
    if (expr.target === undefined) return this.#resolveCall({ ...expr, args }, this.#function(expr.name));
    const prefix = qualifiedName(expr.target);
    const namespaced = prefix && this.#function([...prefix, expr.name].join('.'));
    if (namespaced !== undefined) return this.#resolveCall({ ...expr, target: undefined, args }, namespaced);
    const target = this.check(expr.target);
    return this.#resolveCall({ ...expr, target, args }, this.#function(expr.name));
  }

  #function(name: string): FunctionDeclaration | undefined {
    for (const candidate of candidateNames(this.#environment.container, name)) {
      const found = this.#environment.functions.get(candidate);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #resolveCall(expr: CallExpr, declaration: FunctionDeclaration | undefined): Expr {
    if (declaration === undefined) {
      this.#types[expr.id] = t.errorType;
      this.#undeclared(expr, expr.name);
      return expr;
    }
    const operands = expr.target === undefined ? expr.args : [expr.target, ...expr.args];
    const resolution = this.#overloads(expr, declaration, operands);
    this.#types[expr.id] = resolution?.type ?? t.errorType;
    if (resolution !== undefined)
      this.references[expr.id] = { kind: 'call', overloads: resolution.overloads };
    return { ...expr, name: declaration.name };
  }

  #overloads(expr: CallExpr, declaration: FunctionDeclaration, operands: readonly Expr[]) {
    const argTypes = operands.map((operand) => this.#types[operand.id] ?? t.errorType);
    if (declaration.name === '_&&_' || declaration.name === '_||_')
      return this.#logic(declaration, operands, argTypes);
    let type: Type | undefined;
    const matching: Overload[] = [];
    for (const overload of declaration.overloads) {
      if (overload.member !== (expr.target !== undefined) || this.#isDisabled(overload)) continue;
      const result = this.#matchedResult(overload, argTypes);
      if (result === undefined) continue;
      matching.push(overload);
      if (type === undefined) type = result;
      else if (type.kind !== 'dyn' && !t.sameType(type, result)) type = t.dynType;
    }
    if (type !== undefined) return { type, overloads: matching };
    const shown = argTypes.map((argType) => this.#substitutions.apply(argType, true));
    const signature = t.formatSignature(shown, expr.target !== undefined);
    this.#report(expr.id, `found no matching overload for '${declaration.name}' applied to '${signature}'`);
    return undefined;
  }

  #isDisabled(overload: Overload): boolean {
    // cel-go re-enables disabled checks inside comprehensions, and so do we.
    return (
      !this.#environment.crossTypeComparisons &&
      this.#scope === undefined &&
      isCrossTypeComparison(overload.id)
    );
  }

  #logic(declaration: FunctionDeclaration, operands: readonly Expr[], argTypes: readonly Type[]) {
    let failed = false;
    operands.forEach((operand, index) => {
      const argType = argTypes[index] ?? t.errorType;
      if (this.#assignable(argType, t.boolType)) return;
      failed = true;
      this.#mismatch(operand.id, t.boolType, argType);
    });
    return failed ? undefined : { type: t.boolType, overloads: declaration.overloads };
  }

  /** The result type of an overload that accepts the arguments, with fresh type parameters. */
  #matchedResult(overload: Overload, argTypes: readonly Type[]): Type | undefined {
    if (overload.args.length !== argTypes.length) return undefined;
    let { args, result } = overload;
    if (overload.typeParams.length > 0) {
      const fresh = new Substitutions();
      for (const name of overload.typeParams) fresh.bind(t.typeParam(name), this.#freeType());
      args = args.map((arg) => fresh.apply(arg, false));
      result = fresh.apply(result, false);
    }
    if (!areAssignable(this.#substitutions, argTypes, args)) return undefined;
    return this.#substitutions.apply(result, false);
  }

  #optionalSelect(expr: CallExpr): Expr {
    const [operandExpr, field] = expr.args;
    if (operandExpr === undefined || field?.kind !== 'const' || typeof field.value !== 'string') return expr;
    const operand = this.check(operandExpr);
    const type = this.#fieldType(expr, operand, field.value, true);
    this.#types[expr.id] = this.#substitutions.apply(type, false);
    const overloads = this.#environment.functions.get('_?._')?.overloads ?? [];
    this.references[expr.id] = { kind: 'call', overloads };
    return { ...expr, args: [operand, field] };
  }

  list(expr: ListExpr): Expr {
    let type: Type | undefined;
    const elements = expr.elements.map((element, index) => {
      const checked = this.check(element);
      type = joinTypes(this.#substitutions, type, this.#entryType(checked, expr.optionals.has(index)));
      return checked;
    });
    this.#types[expr.id] = t.listType(type ?? this.#freeType());
    return { ...expr, elements };
  }

  map(expr: MapExpr): Expr {
    let keyType: Type | undefined;
    let valueType: Type | undefined;
    const entries = expr.entries.map((entry) => {
      const key = this.check(entry.key);
      keyType = joinTypes(this.#substitutions, keyType, this.#entryType(key, false));
      const value = this.check(entry.value);
      valueType = joinTypes(this.#substitutions, valueType, this.#entryType(value, entry.optional));
      return { ...entry, key, value };
    });
    this.#types[expr.id] = t.mapType(keyType ?? this.#freeType(), valueType ?? this.#freeType());
    return { ...expr, entries };
  }

  /** The type of an element: for `?e`, that of the optional's value. */
  #entryType(expr: Expr, optional: boolean): Type {
    const type = this.#types[expr.id] ?? t.errorType;
    if (!optional) return type;
    if (!t.isOptionalType(type) && type.kind !== 'dyn') this.#mismatch(expr.id, t.optionalType(type), type);
    return t.unwrapOptional(type);
  }

  struct(expr: StructExpr): Expr {
    const message = findMessageType(expr.typeName, this.#environment);
    if (message === undefined) {
      this.#undeclared(expr, expr.typeName);
      this.#types[expr.id] = t.errorType;
      return expr;
    }
    this.#types[expr.id] = message.type;
    const { name: typeName } = message.type;
    const fields = expr.fields.map((field) => {
      const value = this.check(field.value);
      const fieldType = this.#messageField(field.id, typeName, field.name);
      const type = this.#entryType(value, field.optional);
      if (!this.#assignable(fieldType, type))
        this.#report(field.id, fieldMismatch(field.name, fieldType, type));
      return { ...field, value };
    });
    return { ...expr, typeName, fields };
  }

  comprehension(expr: ComprehensionExpr): Expr {
    const range = this.check(expr.range);
    const init = this.check(expr.init);
    const rangeType = this.#typeOf(range);
    const accuType = this.#types[init.id] ?? t.errorType;
    const outer = this.#scope;
    const accuScope = new Scope(outer);
    accuScope.declare(expr.accuVar, accuType);
    const loopScope = new Scope(accuScope);
    const [first, second] = this.#iterationTypes(range, rangeType, expr.iterVar2 !== undefined);
    loopScope.declare(expr.iterVar, first);
    if (expr.iterVar2 !== undefined) loopScope.declare(expr.iterVar2, second);
    this.#scope = loopScope;
    const condition = this.#checkAs(expr.condition, t.boolType);
    const step = this.#checkAs(expr.step, accuType);
    this.#scope = accuScope;
    const result = this.check(expr.result);
    this.#scope = outer;
    this.#types[expr.id] = this.#typeOf(result);
    return { ...expr, range, init, condition, step, result };
  }

  #iterationTypes(range: Expr, type: Type, two: boolean): [Type, Type] {
    if (isDynOrError(type) || type.kind === 'typeParam') this.#assignable(t.dynType, type);
    const types = iterationTypes(type, two);
    if (types !== undefined) return types;
    const shown = `expression of type '${t.formatType(type)}'`;
    this.#report(range.id, `${shown} cannot be range of a comprehension (must be list, map, or dynamic)`);
    return [t.errorType, t.errorType];
  }

  #checkAs(expr: Expr, type: Type): Expr {
    const checked = this.check(expr);
    const actual = this.#types[checked.id] ?? t.errorType;
    if (!this.#assignable(type, actual)) this.#mismatch(checked.id, type, actual);
    return checked;
  }

  #typeOf(expr: Expr): Type {
    return this.#substitutions.apply(this.#types[expr.id] ?? t.errorType, false);
  }

  #freeType(): Type {
    return t.typeParam(`_var${this.#freeTypes++}`);
  }

  #assignable(to: Type, from: Type): boolean {
    return isAssignable(this.#substitutions, to, from);
  }

  #undeclared(expr: Expr, name: string): void {
    this.#report(
      expr.id,
      `undeclared reference to '${name}' (in container '${this.#environment.container}')`,
    );
  }

  #mismatch(id: number, expected: Type, actual: Type): void {
    this.#report(id, `expected type '${t.formatType(expected)}' but found '${t.formatType(actual)}'`);
  }

  #report(id: number, message: string): void {
    this.issues.push({ message, offset: this.#ast.offsets[id] ?? -1 });
  }
}
