/**
 * The Common Expression Language as in Kubernetes: parse, check, estimate, evaluate. See `docs/cel.md`.
 */
export type {
  Ast,
  CallExpr,
  ComprehensionExpr,
  ConstExpr,
  Expr,
  IdentExpr,
  ListExpr,
  MapExpr,
  SelectExpr,
  StructExpr,
} from './ast/expression.ts';
export { childrenOf } from './ast/expression.ts';
export { CelIssues, type Issue } from './ast/issue.ts';
export { CheckedAst } from './checker/checked-ast.ts';
export { Declarations } from './checker/declarations.ts';
export { compile, type Compiled, type CompileOptions, WrongResultType } from './compile.ts';
export { LazyFields } from './data/lazy-fields.ts';
export { estimateCost } from './cost/estimator.ts';
export { type Range as CostRange, unlimited as unlimitedCost } from './cost/size.ts';
export { Environment, type EnvironmentOptions } from './environment.ts';
export { UnusableProgram } from './interpreter/constants.ts';
export { type KubernetesVersion, newExpressions, storedExpressions } from './kubernetes-environments.ts';
export {
  type Bindings,
  CostBudget,
  type EvaluateOptions,
  type Evaluation,
  type EvaluationError,
  type ExpressionObserver,
  type ObservedEvaluation,
  perCallCostLimit,
  Program,
  type RulePlace,
  type Trace,
} from './program.ts';
export {
  type AuthorizationDecision,
  type AuthorizationRequest,
  type Authorize,
  authorizerVariable,
  CelAuthorizer,
  type ResourceAttributes,
} from './libraries/authorization.ts';
export { requestResourceCheck } from './libraries/authorization.ts';
export { type ExplainedNode, explainTrace } from './trace/explain-trace.ts';
export type { TraceNode } from './trace/trace-recorder.ts';
export { valueText } from './trace/value-text.ts';
// Admission expressions
export { type AdmissionVariables, admissionVariables } from './admission/variables.ts';
export {
  compileExpression,
  declareVariables,
  ExpressionError,
  type ExpressionOptions,
} from './admission/compile-expression.ts';
export { applyConfigurationType, jsonPatchType } from './libraries/json-patch.ts';
export { reservedWords } from './parser/reserved-words.ts';
export {
  declare,
  type DeclaredType,
  type FieldDeclaration,
  type ListDeclaration,
  type MapDeclaration,
  type ObjectDeclaration,
  type OptionalDeclaration,
  type ScalarDeclaration,
  type ScalarKind,
} from './types/declared-type.ts';
export {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  formatType,
  intType,
  listType,
  mapType,
  nullType,
  optionalType,
  sameType,
  stringType,
  timestampType,
  type Type,
  type TypeKind,
  uintType,
} from './types/type.ts';
export { CelBytes } from './values/bytes.ts';
export { CelError } from './values/cel-error.ts';
export { CelDouble } from './values/double.ts';
export { CelDuration } from './values/duration.ts';
export { CelList } from './values/list.ts';
export { CelMap } from './values/map.ts';
export { CelMessage } from './values/message.ts';
export { CelOpaque } from './values/opaque.ts';
export { CelOptional } from './values/optional.ts';
export { NotPlain, type PlainValue, plainValue } from './values/plain-value.ts';
export { CelTimestamp } from './values/timestamp.ts';
export { typeNameOf } from './values/type-name.ts';
export { CelType } from './values/type-value.ts';
export { CelUint } from './values/uint.ts';
export type { CelInt, Result, Value } from './values/value.ts';

export {
  type Amount,
  addAmounts,
  compareAmounts,
  negateAmount,
  parseQuantity,
} from './libraries/quantity/amount.ts';
export { type QuantityFormat, quantityFormat, quantityText } from './libraries/quantity/quantity-text.ts';
