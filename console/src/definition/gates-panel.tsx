import { useMemo, useState } from 'preact/hooks';
import { type Gate, type GateState, readGates } from '../api/definition-reports.ts';
import type { KindSchema } from '../api/kind-schema.ts';
import { mayI } from '../api/may-i.ts';
import { CopyLine } from '../parts/copy-line.tsx';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import type { DefinitionParts } from './definition-parts.ts';
import { SchemaTree } from './schema-tree.ts';
import { TurnDialog } from './turn-dialog.tsx';

interface GatesPanelProps {
  /** New whenever the definition changes. */
  readonly parts: DefinitionParts;
  /** Of the version that is shown. */
  readonly schema: KindSchema;
  readonly objectsOf: (namespace: string, name: string) => string;
}

/** The gates on fields (KEP-2608): where they stand, and the switch. */
export function GatesPanel({ parts, schema, objectsOf }: GatesPanelProps) {
  const gates = useAnswer((signal) => readGates(parts.name, signal), [parts]);
  const crds = { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions', name: parts.name };
  const mayTurn = useAnswer((signal) => mayI({ verb: 'patch', ...crds }, signal), [parts.name]);
  const [turning, setTurning] = useState<{ gate: Gate; state: GateState } | undefined>(undefined);
  const tree = useMemo(() => new SchemaTree(schema), [schema]);
  if (gates.error !== undefined) return <ErrorNotice title="The gates cannot be read" error={gates.error} />;
  if (gates.value === undefined) return <p class="muted">Loading the gates …</p>;
  if (gates.value.length === 0) return <NoGates />;
  return (
    <>
      {mayTurn.value === false && (
        <p class="notice">You may not change this definition, so you cannot turn its gates.</p>
      )}
      <ul class="gates">
        {gates.value.map((gate) => (
          <GateLine
            key={gate.name}
            gate={gate}
            guarded={guardedBy(tree, gate.name)}
            mayTurn={mayTurn.value === true}
            onTurn={(state) => setTurning({ gate, state })}
          />
        ))}
      </ul>
      <CopyLine text={`kubectl feature-gates ${parts.name} -o wide`} />
      {turning !== undefined && (
        <TurnDialog
          crd={parts.name}
          gate={turning.gate}
          state={turning.state}
          guarded={guardedBy(tree, turning.gate.name)}
          objectsOf={objectsOf}
          onClose={() => setTurning(undefined)}
        />
      )}
    </>
  );
}

/** The values and rules of a schema that stand under a gate, in words. */
function guardedBy(tree: SchemaTree, gate: string): readonly string[] {
  return tree
    .fieldsWith(isGated)
    .flatMap(({ path, schema }) => [
      ...(schema['x-kubernetes-enum-feature-gates'] ?? [])
        .filter(({ featureGate }) => featureGate === gate)
        .map(({ values = [] }) => `${path}: ${values.map((value) => JSON.stringify(value)).join(', ')}`),
      ...(schema['x-kubernetes-validations'] ?? [])
        .filter(({ featureGate }) => featureGate === gate)
        .map(({ rule = '' }) => `${path}: the rule ${rule}`),
    ]);
}

const isGated: Parameters<SchemaTree['fieldsWith']>[0] = ({ schema }) =>
  schema['x-kubernetes-enum-feature-gates'] !== undefined ||
  (schema['x-kubernetes-validations']?.some(({ featureGate }) => featureGate !== undefined) ?? false);

interface GateLineProps {
  readonly gate: Gate;
  readonly guarded: readonly string[];
  readonly mayTurn: boolean;
  readonly onTurn: (state: GateState) => void;
}

function GateLine({ gate, guarded, mayTurn, onTurn }: GateLineProps) {
  return (
    <li class="gate-line">
      <div class="gate-head">
        <h2 dir="auto">{gate.name}</h2>
        <span class="chip">{gate.stage}</span>
        <span class={`state ${gate.enabled ? 'ok' : 'wait'}`}>{gate.enabled ? 'on' : 'off'}</span>
        {mayTurn && gate.stage !== 'stable' && (
          <span class="gate-tools">
            <button
              type="button"
              class="button small"
              onClick={() => onTurn(gate.enabled ? 'false' : 'true')}
              aria-label={`Turn ${gate.enabled ? 'off' : 'on'} ${gate.name}`}
            >
              Turn {gate.enabled ? 'off' : 'on'}
            </button>
            {gate.set !== undefined && (
              <button
                type="button"
                class="button small"
                onClick={() => onTurn('default')}
                aria-label={`Leave to its default: ${gate.name}`}
              >
                Leave to its default
              </button>
            )}
          </span>
        )}
      </div>
      <p class="muted">{stateWords(gate)}</p>
      <ul class="words">
        {gate.fieldPaths.map((path) => (
          <li key={path}>
            <code dir="auto">{path}</code>
          </li>
        ))}
        {guarded.map((words) => (
          <li key={words} dir="auto">
            {words}
          </li>
        ))}
      </ul>
    </li>
  );
}

/** Why a gate stands as it does. */
function stateWords({ stage, set, enabled, disabledBy, name, component, ...gate }: Gate): string {
  const owner = component === '' ? '' : `of ${component}; `;
  const standard = `by default ${gate.default ? 'on' : 'off'}`;
  if (stage === 'stable') return `${owner}stable: on, whatever anybody says`;
  if (!enabled && disabledBy !== undefined && disabledBy !== name)
    return `${owner}${standard}; off because ${disabledBy} is off, which it is inside`;
  return `${owner}${standard}${set === undefined ? '' : `; somebody has turned it ${set ? 'on' : 'off'}`}`;
}

function NoGates() {
  return (
    <p class="muted">
      This definition has no gates. A gate lets a field begin as alpha, off until somebody turns it on: see{' '}
      <code>customFeatureGates</code> in the documentation of feature gates.
    </p>
  );
}
