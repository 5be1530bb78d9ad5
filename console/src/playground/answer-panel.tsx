import { useMemo } from 'preact/hooks';
import { Difference } from '../object/editor-box.tsx';
import { parseYaml, yamlOf } from '../object/yaml-text.ts';
import { answer, current, isRunning } from './case-store.ts';
import { CostBar } from './cost-bar.tsx';
import { ExpressionItem } from './expression-item.tsx';
import type { PlaygroundResult, Problem } from './playground-result.ts';

/** What the server makes of the case. */
export function AnswerPanel() {
  const shown = answer.value;
  if (shown === undefined) return <div class="starting" role="status" aria-label="Loading" />;
  const { result, object } = shown;
  const { expressions, warnings, costs } = result;
  return (
    <>
      <Outcome result={result} isOld={isRunning.value} />
      {warnings.map((warning) => (
        <p key={warning} class="notice warn">
          {warning}
        </p>
      ))}
      {expressions.length > 0 && (
        <section aria-labelledby="expressions-title" class="expressions">
          <h2 id="expressions-title">Expressions</h2>
          {costs.estimate !== undefined && (
            <CostBar label="Estimate of all rules of the schema" {...costs.estimate} />
          )}
          <CostBar label="Cost of this write" {...costs.runtime} />
          <ul>
            {expressions.map((expression) => (
              <ExpressionItem key={`${expression.owner} ${expression.field}`} expression={expression} />
            ))}
          </ul>
        </section>
      )}
      {object !== '' && <StoredObject json={object} />}
    </>
  );
}

const words = {
  CREATE: { accepted: 'The object is accepted', refused: 'The object is refused' },
  UPDATE: { accepted: 'The change is accepted', refused: 'The change is refused' },
  DELETE: { accepted: 'The deletion is accepted', refused: 'The deletion is refused' },
} as const;

function Outcome({
  result: { outcome, operation, status, problems },
  isOld,
}: {
  readonly result: PlaygroundResult;
  readonly isOld: boolean;
}) {
  const title = outcome === 'unusable' ? 'This cannot be tried' : words[operation][outcome];
  return (
    <div class={`outcome ${outcome}${isOld ? ' old' : ''}`} role="status">
      <h2>{title}</h2>
      {status?.message !== undefined && <p class="said">{status.message}</p>}
      {outcome === 'unusable' && <Problems problems={problems} />}
    </div>
  );
}

const documentWords = {
  definition: 'Definition',
  policies: 'Policies',
  object: 'Object',
  oldObject: 'Old object',
} as const;

function Problems({ problems }: { readonly problems: readonly Problem[] }) {
  return (
    <ul>
      {problems.map(({ document, line, field, message }) => (
        <li key={`${document} ${line} ${field} ${message}`}>
          {documentWords[document]}, line {line}: <span class="said">{message}</span>
        </li>
      ))}
    </ul>
  );
}

/** The object as it would be stored, compared with what was written. */
function StoredObject({ json }: { readonly json: string }) {
  const sent = current.value.object;
  const [before, after] = useMemo(() => [tidied(sent), yamlOf(json)], [sent, json]);
  return (
    <details class="stored">
      <summary>What would be stored</summary>
      <Difference before={before} after={after} />
    </details>
  );
}

/** In the form in which the stored one is shown, so that only what differs differs. */
function tidied(text: string): string {
  const document = parseYaml(text);
  if (document.errors.length > 0) return text;
  return yamlOf(
    JSON.stringify(document.toJS({ mapAsMap: false }), (_key, value: unknown) =>
      typeof value === 'bigint' ? Number(value) : value,
    ),
  );
}
