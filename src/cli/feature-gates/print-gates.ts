import { encodeJsonPretty, encodeYaml } from '../../codec/index.ts';
import type { JsonObject } from '../../meta/index.ts';
import type { ListedGate } from '../../crd/index.ts';

/** The output formats; the first is the default. */
export const outputs = ['', 'wide', 'json', 'yaml', 'name'] as const;
export type Output = (typeof outputs)[number];

interface Column {
  readonly title: string;
  readonly cell: (gate: ListedGate) => string;
}

const columns: readonly Column[] = [
  { title: 'CRD', cell: ({ crd }) => crd },
  { title: 'GATE', cell: ({ name }) => name },
  { title: 'COMPONENT', cell: ({ component }) => component },
  { title: 'STAGE', cell: ({ preRelease }) => preRelease },
  { title: 'DEFAULT', cell: (gate) => String(gate.default) },
  { title: 'ENABLED', cell: ({ enabled }) => String(enabled) },
  { title: 'PATHS', cell: ({ fieldPaths }) => fieldPaths.join(',') },
];

const wideColumns: readonly Column[] = [
  ...columns,
  { title: 'SET', cell: ({ set }) => (set === undefined ? '' : String(set)) },
  { title: 'DISABLED BY', cell: ({ disabledBy }) => disabledBy ?? '' },
  { title: 'DEPRECATION WARNING', cell: ({ deprecationWarning }) => deprecationWarning ?? '' },
];

/** The gates as text, with a newline at the end. */
export function printGates(gates: readonly ListedGate[], output: Output, headers: boolean): string {
  if (output === 'json') return encodeJsonPretty({ items: gates.map(document) }).toString();
  if (output === 'yaml') return encodeYaml({ items: gates.map(document) }).toString();
  if (output === 'name') return gates.map(({ crd, name }) => `${crd}/${name}\n`).join('');
  return table(output === 'wide' ? wideColumns : columns, gates, headers);
}

function table(shown: readonly Column[], gates: readonly ListedGate[], headers: boolean): string {
  const lines = [
    ...(headers ? [shown.map(({ title }) => title)] : []),
    ...gates.map((gate) => shown.map(({ cell }) => cell(gate) || '<none>')),
  ];
  const widths = shown.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const padded = lines.map((line) =>
    line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('   '),
  );
  return padded.map((line) => `${line.trimEnd()}\n`).join('');
}

/** A gate for other programs: as in the CRD, with its effective state. */
function document(gate: ListedGate): JsonObject {
  const { crd, name, component, preRelease, enabled, disabledBy, deprecationWarning, fieldPaths, set } = gate;
  return {
    crd,
    name,
    ...(component === '' ? {} : { component }),
    preRelease,
    default: gate.default,
    ...(set === undefined ? {} : { set }),
    enabled,
    ...(disabledBy === undefined ? {} : { disabledBy }),
    ...(deprecationWarning === undefined ? {} : { fieldDeprecationWarning: deprecationWarning }),
    fieldPaths: [...fieldPaths],
  };
}
