import type { FieldError, JsonObject, KubeObject, NameRule } from '../../meta/index.ts';
import { fieldChangeErrors, fieldRuleErrors, type KindRule } from '../rules/field-rules.ts';
import type { Endpoint, Strategy, StrategyContext } from './strategy.ts';
import { plainStrategy } from './plain-strategy.ts';

/** What a kind does besides what its schema says. */
export interface KindRules {
  /** What must hold of every object, in the order of the errors: rows, and code for what no row can say. */
  readonly rules?: readonly KindRule[];
  /** The same of the status that comes to `/status`. */
  readonly statusRules?: readonly KindRule[];
  /** True where upstream counts the changes of the spec. */
  readonly generation?: boolean;
  readonly nameRule?: NameRule;
  /** True where a delete is answered with the object that went. */
  readonly returnsDeleted?: boolean;
  /** The status that a new object begins with. */
  readonly firstStatus?: (object: KubeObject, context: StrategyContext) => JsonObject;
  /** What the server itself puts into a new object. */
  readonly prepareNew?: (object: KubeObject) => void;
  /** What the server itself changes in a new status. */
  readonly prepareStatus?: (object: KubeObject, old: KubeObject, context: StrategyContext) => void;
  /** What the server itself changes in an object that is updated. */
  readonly prepareChange?: (object: KubeObject, old: KubeObject) => void;
  /** True where annotations count in the generation. */
  readonly countsAnnotations?: boolean;
  /** The warnings for a valid object. */
  readonly warn?: (object: KubeObject, old: KubeObject | undefined) => readonly string[];
  /** What must hold of every object besides; it comes after the rules. */
  readonly validate?: (object: KubeObject) => readonly FieldError[];
  /** What must hold of a new object besides. */
  readonly validateNew?: (object: KubeObject) => readonly FieldError[];
  /** What must hold of the status that comes to `/status`. */
  readonly validateStatus?: (object: KubeObject, old: KubeObject) => readonly FieldError[];
  /** Validates an object against its old version; its errors come first. */
  readonly validateChange?: (object: KubeObject, old: KubeObject) => readonly FieldError[];
}

/** The plain strategy with the rules of a kind. Where the schema finds a mistake, the rules wait. */
export function ruledStrategy(rules: KindRules): Strategy {
  const plain = plainStrategy({
    generation: rules.generation === true,
    countsAnnotations: rules.countsAnnotations === true,
  });
  const { nameRule, rules: rows = [], statusRules = [] } = rules;
  return Object.freeze({
    ...plain,
    ...(nameRule === undefined ? {} : { nameRule }),
    returnsDeleted: rules.returnsDeleted === true,

    prepareForCreate(object: KubeObject, context: StrategyContext): void {
      plain.prepareForCreate(object, context);
      rules.prepareNew?.(object);
      if (rules.firstStatus === undefined) return;
      object['status'] = rules.firstStatus(object, context);
      context.version.schema().normalize(object, { applyDefaults: false });
    },

    validateCreate(object: KubeObject, context: StrategyContext) {
      const report = plain.validateCreate(object, context);
      if (report.errors.length > 0) return report;
      const warnings = [...report.warnings, ...(rules.warn?.(object, undefined) ?? [])];
      const errors = [
        ...fieldRuleErrors(rows, object),
        ...(rules.validate?.(object) ?? []),
        ...(rules.validateNew?.(object) ?? []),
      ];
      return { errors, warnings };
    },

    prepareForUpdate(
      object: KubeObject,
      old: KubeObject,
      endpoint: Endpoint,
      context: StrategyContext,
    ): void {
      plain.prepareForUpdate(object, old, endpoint, context);
      if (endpoint === 'status') rules.prepareStatus?.(object, old, context);
      else rules.prepareChange?.(object, old);
    },

    validateUpdate(object: KubeObject, old: KubeObject, endpoint: Endpoint, context: StrategyContext) {
      const report = plain.validateUpdate(object, old, endpoint, context);
      if (report.errors.length > 0) return report;
      if (endpoint === 'status') {
        const errors = [
          ...fieldRuleErrors(statusRules, object),
          ...(rules.validateStatus?.(object, old) ?? []),
        ];
        return { errors, warnings: report.warnings };
      }
      const errors = [
        ...fieldChangeErrors(rows, object, old),
        ...(rules.validateChange?.(object, old) ?? []),
        ...fieldRuleErrors(rows, object),
        ...(rules.validate?.(object) ?? []),
      ];
      return { errors, warnings: [...report.warnings, ...(rules.warn?.(object, old) ?? [])] };
    },
  } satisfies Strategy);
}
