import { CostBar } from './cost-bar.tsx';
import type { Evaluation, Expression, TraceNode } from './playground-result.ts';

/** An expression with its costs, and each of its evaluations with what its parts came to. */
export function ExpressionItem({ expression }: { readonly expression: Expression }) {
  const { owner, field, source, estimate, evaluations, leftOut } = expression;
  return (
    <li class="expression">
      <pre class="code">{source}</pre>
      <p class="muted">
        {owner}: <code>{shortField(field)}</code>
      </p>
      {estimate !== undefined && <CostBar label="Estimate" {...estimate} />}
      {evaluations.length === 0 && <p class="muted">Not evaluated in this case.</p>}
      <ul>
        {evaluations.map((evaluation, at) => (
          <li key={`${evaluation.path} ${at}`}>
            <EvaluationLine evaluation={evaluation} isOpen={at === 0} />
          </li>
        ))}
      </ul>
      {leftOut > 0 && <p class="muted">{leftOut} further evaluations are not shown.</p>}
    </li>
  );
}

/** Without the way to the schema, which is the same for all rules. */
function shortField(field: string): string {
  return field.replace(/^spec\.versions\[(\d+)\]\.schema\.openAPIV3Schema\.?/, (_, version: string) =>
    version === '0' ? '' : `versions[${version}].`,
  );
}

function EvaluationLine({
  evaluation,
  isOpen,
}: {
  readonly evaluation: Evaluation;
  readonly isOpen: boolean;
}) {
  const { path, params, cost, trace, traceLeftOut = 0 } = evaluation;
  const about = path === undefined ? params : path === '' ? 'the object' : path;
  const line = (
    <>
      {about !== undefined && <span class="muted">{about}: </span>}
      <Outcome {...evaluation} /> <span class="muted">cost {cost}</span>
    </>
  );
  if (trace === undefined) return <p>{line}</p>;
  return (
    <details open={isOpen}>
      <summary>{line}</summary>
      <ul class="trace">
        <Part node={trace} depth={0} />
      </ul>
      {traceLeftOut > 0 && <p class="muted">{traceLeftOut} further parts are not shown.</p>}
    </details>
  );
}

function Outcome({ value, error }: { readonly value?: string; readonly error?: string }) {
  if (error !== undefined) return <span class="part-error">{error}</span>;
  const looks = value === 'true' ? ' yes' : value === 'false' ? ' no' : '';
  return (
    <code class={`part-value${looks}`} dir="auto">
      {value}
    </code>
  );
}

/** Deeper parts are folded. */
const openDepthMax = 3;

function Part({ node, depth }: { readonly node: TraceNode; readonly depth: number }) {
  const { text, value, error, cost, children } = node;
  const line = (
    <>
      <code dir="auto">{text}</code>
      {(value !== '' || error !== undefined) && (
        <>
          {' '}
          → <Outcome value={value} {...(error === undefined ? {} : { error })} />
        </>
      )}{' '}
      <span class="muted">cost {cost}</span>
    </>
  );
  if (children.length === 0) return <li>{line}</li>;
  return (
    <li>
      <details open={depth < openDepthMax}>
        <summary>{line}</summary>
        <ul>
          {children.map((child, at) => (
            <Part key={at} node={child} depth={depth + 1} />
          ))}
        </ul>
      </details>
    </li>
  );
}
