import { explainTrace, type ObservedEvaluation, type Program, valueText } from '../cel/index.ts';
import { isObject, limits, metadataString, nameOf, type KubeObject } from '../meta/index.ts';
import type { PlaygroundEvaluation, PlaygroundExpression } from './playground-result.ts';
import type { ExpressionSite } from './rule-sites.ts';
import type { DocumentName } from './playground-case.ts';

/** Records the evaluations of one write, with the location of each expression and the values of its parts. */
export class EvaluationLog {
  /** The cost of all evaluations. */
  cost = 0;
  #isOn = false;
  #traceNodes: number = limits.playgroundTraceNodesMax;
  readonly #programs = new Map<Program, { readonly first: ObservedEvaluation[]; count: number }>();

  /** For `ServerOptions.expressionObserver`. */
  readonly observe = (observed: ObservedEvaluation): void => {
    if (!this.#isOn) return;
    this.cost += observed.evaluation.cost;
    const known = this.#programs.get(observed.program) ?? { first: [], count: 0 };
    this.#programs.set(observed.program, known);
    known.count += 1;
    if (known.first.length < limits.playgroundEvaluationsMax) known.first.push(observed);
  };

  /** Records evaluations during a write. */
  async during<T>(write: () => Promise<T>): Promise<T> {
    this.#isOn = true;
    try {
      return await write();
    } finally {
      this.#isOn = false;
    }
  }

  /** The expressions of the case with their evaluations. */
  expressions(sites: readonly ExpressionSite[]): PlaygroundExpression[] {
    const programs = this.#programsOf(sites);
    return sites.map((site) => {
      const program = programs.get(site);
      const { first = [], count = 0 } = (program && this.#programs.get(program)) ?? {};
      const { loaded, owner, field, steps, source, estimate } = site;
      return {
        // Texts are parsed under their document names.
        document: loaded.file as DocumentName,
        line: loaded.lineAt(steps),
        owner,
        field,
        source,
        ...(estimate && { estimate }),
        evaluations: first.map((one) => this.#shown(one)),
        leftOut: count - first.length,
      };
    });
  }

  /**
   * Rules report their location. Policies do not report which expression they evaluate: those with the same text are
   * assigned in order.
   */
  #programsOf(sites: readonly ExpressionSite[]): ReadonlyMap<ExpressionSite, Program> {
    const free = new Set(this.#programs.keys());
    const found = new Map<ExpressionSite, Program>();
    for (const site of sites) {
      const program = [...free].find((one) => this.#isOf(one, site));
      if (program === undefined) continue;
      free.delete(program);
      found.set(site, program);
    }
    return found;
  }

  #isOf(program: Program, { rule, source }: ExpressionSite): boolean {
    const place = this.#programs.get(program)?.first[0]?.rule;
    if (program.ast.source.trim() !== source.trim() || (rule === undefined) !== (place === undefined))
      return false;
    return rule?.schema === place?.schema && rule?.index === place?.index && rule?.field === place?.field;
  }

  #shown(observed: ObservedEvaluation): PlaygroundEvaluation {
    const { bindings, evaluation, rule } = observed;
    const { value, error, cost } = evaluation;
    const { params } = bindings;
    return {
      ...(rule === undefined ? {} : { path: rule.path }),
      ...(isObject(params) ? { params: paramsName(params) } : {}),
      ...(error === undefined
        ? { value: valueText(value, limits.playgroundValueCharsMax) }
        : { error: error.message }),
      cost,
      ...this.#trace(observed),
    };
  }

  #trace({ program, bindings }: ObservedEvaluation): Pick<PlaygroundEvaluation, 'trace' | 'traceLeftOut'> {
    if (this.#traceNodes <= 0) return {};
    const nodesMax = Math.min(this.#traceNodes, limits.playgroundTraceNodesMax / 4);
    const { root, leftOut, nodes } = program.trace(bindings, { nodesMax });
    this.#traceNodes -= nodes;
    if (root === undefined) return {};
    const trace = explainTrace(root, program.ast);
    return leftOut === 0 ? { trace } : { trace, traceLeftOut: leftOut };
  }
}

function paramsName(params: KubeObject): string {
  const namespace = metadataString(params, 'namespace');
  return namespace === '' ? nameOf(params) : `${namespace}/${nameOf(params)}`;
}
