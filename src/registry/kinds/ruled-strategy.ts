import type { FieldError, JsonObject, KubeObject, NameRule } from '../../meta/index.ts';
import type { Endpoint, Strategy, StrategyContext } from '../strategy.ts';
import { plainStrategy } from './plain-strategy.ts';

/** What a kind does besides what its schema says. */
export interface KindRules {
  /** True where upstream counts the changes of the spec. */
  readonly generation?: boolean;
  readonly nameRule?: NameRule;
  /** True where a delete is answered with the object that went. */
  readonly returnsDeleted?: boolean;
  /** The status that a new object begins with. */
  readonly firstStatus?: (object: KubeObject) => JsonObject;
  /** What the server itself puts into a new object. */
  readonly prepareNew?: (object: KubeObject) => void;
  /** What must hold of every object. */
  readonly validate?: (object: KubeObject) => readonly FieldError[];
  /** What must hold between an object and the one before it; comes first. */
  readonly validateChange?: (object: KubeObject, old: KubeObject) => readonly FieldError[];
}

/** The plain strategy with the rules of a kind. Where the schema finds a mistake, the rules wait. */
export function ruledStrategy(rules: KindRules): Strategy {
  const plain = plainStrategy({ generation: rules.generation === true });
  const { nameRule } = rules;
  return Object.freeze({
    ...plain,
    ...(nameRule === undefined ? {} : { nameRule }),
    returnsDeleted: rules.returnsDeleted === true,

    prepareForCreate(object: KubeObject, context: StrategyContext): void {
      plain.prepareForCreate(object, context);
      rules.prepareNew?.(object);
      if (rules.firstStatus === undefined) return;
      object['status'] = rules.firstStatus(object);
      context.version.schema().normalize(object, { applyDefaults: false });
    },

    validateCreate(object: KubeObject, context: StrategyContext) {
      const report = plain.validateCreate(object, context);
      if (report.errors.length > 0) return report;
      return { errors: rules.validate?.(object) ?? [], warnings: report.warnings };
    },

    validateUpdate(object: KubeObject, old: KubeObject, endpoint: Endpoint, context: StrategyContext) {
      const report = plain.validateUpdate(object, old, endpoint, context);
      if (report.errors.length > 0 || endpoint === 'status') return report;
      const errors = [...(rules.validateChange?.(object, old) ?? []), ...(rules.validate?.(object) ?? [])];
      return { errors, warnings: report.warnings };
    },
  } satisfies Strategy);
}
