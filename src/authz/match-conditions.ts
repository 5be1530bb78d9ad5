import {
  boolType,
  type Compiled,
  CostBudget,
  compileExpression,
  type DeclaredType,
  declare,
  ExpressionError,
  newExpressions,
} from '../cel/index.ts';
import { type Clock, type JsonObject, limits, minCompatibilityVersion } from '../meta/index.ts';
import { AuthorizationConfigurationError } from './configuration-error.ts';

const { string, list, map, object } = declare;
const texts = list(string());
const requirement = object('kubernetes.SelectorRequirement', [
  ['key', string()],
  ['operator', string()],
  ['values', texts],
]);
const selector = (name: string) =>
  object(name, [
    ['rawSelector', string()],
    ['requirements', list(requirement)],
  ]);

/** Source: apiserver, authorization/cel/compile.go. */
const request: DeclaredType = object('kubernetes.SubjectAccessReviewSpec', [
  [
    'resourceAttributes',
    object('kubernetes.ResourceAttributes', [
      ['namespace', string()],
      ['verb', string()],
      ['group', string()],
      ['version', string()],
      ['resource', string()],
      ['subresource', string()],
      ['name', string()],
      ['fieldSelector', selector('kubernetes.FieldSelectorAttributes')],
      ['labelSelector', selector('kubernetes.LabelSelectorAttributes')],
    ]),
  ],
  [
    'nonResourceAttributes',
    object('kubernetes.NonResourceAttributes', [
      ['path', string()],
      ['verb', string()],
    ]),
  ],
  ['user', string()],
  ['groups', texts],
  ['extra', map(texts)],
  ['uid', string()],
]);

interface Condition {
  readonly source: string;
  readonly compiled: Compiled;
}

/** Missing strings are empty in expressions, as upstream. */
const emptyAttributes = {
  namespace: '',
  verb: '',
  group: '',
  version: '',
  resource: '',
  subresource: '',
  name: '',
};

/** The requests for which a webhook is called. */
export class AccessConditions {
  readonly #conditions: readonly Condition[];
  readonly #clock: Clock;

  /** @throws {AuthorizationConfigurationError} for an invalid expression */
  constructor(sources: readonly string[], clock: Clock) {
    const environment = newExpressions(minCompatibilityVersion);
    this.#clock = clock;
    this.#conditions = sources.map((source) => {
      try {
        const options = { environment, variables: { request }, returnTypes: [boolType] };
        return { source, compiled: compileExpression(source, options) };
      } catch (error) {
        if (!(error instanceof ExpressionError)) throw error;
        throw new AuthorizationConfigurationError(`matchConditions: ${source}: ${error.message}`, {
          cause: error,
        });
      }
    });
  }

  /** One false condition decides, even if others fail. @throws {Error} if some fail and none is false */
  match(spec: JsonObject): boolean {
    const failures: string[] = [];
    const end = this.#clock.now() + limits.ruleTimeMsMax;
    const budget = new CostBudget(limits.matchConditionsCostMax, () => this.#clock.now() > end);
    const asked = withEmptyTexts(spec);
    for (const { source, compiled } of this.#conditions) {
      const { value, error } = compiled.program.evaluate({ request: asked }, { budget });
      if (value === false) return false;
      if (error !== undefined)
        failures.push(`cel evaluation error: expression '${source}': ${error.message}`);
    }
    if (failures.length > 0) throw new Error(failures.join(', '));
    return true;
  }
}

function withEmptyTexts(spec: JsonObject): JsonObject {
  const resource = spec['resourceAttributes'];
  const shared = { user: '', groups: [], extra: {}, uid: '' };
  if (typeof resource !== 'object' || resource === null) return { ...shared, ...spec };
  return { ...shared, ...spec, resourceAttributes: { ...emptyAttributes, ...resource } };
}
