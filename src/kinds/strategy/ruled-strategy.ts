import type { FieldError, JsonObject, KubeObject, NameRule } from '../../meta/index.ts';
import { fieldChangeErrors, fieldRuleErrors, type KindRule } from '../rules/field-rules.ts';
import type { Endpoint, Strategy, StrategyContext } from './strategy.ts';
import { plainStrategy } from './plain-strategy.ts';

/** The behaviour of a kind beyond its schema. */
export interface KindRules {
  /** The rules for every object, in the order of the errors: rows, and functions for what rows cannot express. */
  readonly rules?: readonly KindRule[];
  /** The rules for the status written to `/status`. */
  readonly statusRules?: readonly KindRule[];
  /** True if upstream counts changes of the spec in the generation. */
  readonly generation?: boolean;
  readonly nameRule?: NameRule;
  /** True if a create may set the status. */
  readonly takesStatus?: boolean;
  /** True if a delete returns the deleted object. */
  readonly returnsDeleted?: boolean;
  /** See {@link Strategy.gracePeriodSeconds}. */
  readonly gracePeriodSeconds?: (object: KubeObject, asked: number | undefined) => number;
  /** The initial status of a new object. */
  readonly firstStatus?: (object: KubeObject, context: StrategyContext) => JsonObject;
  /** Sets server-defined fields of a new object. */
  readonly prepareNew?: (object: KubeObject) => void;
  /** Sets server-defined fields of a new status. */
  readonly prepareStatus?: (object: KubeObject, old: KubeObject, context: StrategyContext) => void;
  /** Sets server-defined fields of an updated object. */
  readonly prepareChange?: (object: KubeObject, old: KubeObject) => void;
  /** True if changes of annotations increase the generation. */
  readonly countsAnnotations?: boolean;
  /** The warnings for a valid object. */
  readonly warn?: (object: KubeObject, old: KubeObject | undefined) => readonly string[];
  /** Further errors of every object, after the rules. */
  readonly validate?: (object: KubeObject) => readonly FieldError[];
  /** Further errors of a new object. */
  readonly validateNew?: (object: KubeObject) => readonly FieldError[];
  /** Further errors of the status written to `/status`. */
  readonly validateStatus?: (object: KubeObject, old: KubeObject) => readonly FieldError[];
  /** The errors of an update, from the object and its old version; they precede the others. */
  readonly validateChange?: (object: KubeObject, old: KubeObject) => readonly FieldError[];
}

/** The plain strategy with the rules of a kind. If the schema finds errors, the rules are skipped. */
export function ruledStrategy(rules: KindRules): Strategy {
  const plain = plainStrategy({
    generation: rules.generation === true,
    countsAnnotations: rules.countsAnnotations === true,
    takesStatus: rules.takesStatus === true,
  });
  const { nameRule, gracePeriodSeconds, rules: rows = [], statusRules = [] } = rules;
  return Object.freeze({
    ...plain,
    ...(nameRule === undefined ? {} : { nameRule }),
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
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
