import { Command, Option } from 'commander';
import { type JsonObject, type KubeObject, nameOf, namespaceOf } from '../../meta/index.ts';
import { holdsField } from '../../crd/index.ts';
import { connectionOptions, Kubectl } from './kubectl.ts';
import { indexOfGate, listGates } from './listed-gate.ts';
import { findCrd, readCrds, readObjects } from './read-crds.ts';

interface TurnFlags {
  readonly dryRun: 'none' | 'server';
}

/** The actions on a gate, and the resulting value of `enabled`; undefined removes it. */
const verbs = {
  enable: { done: 'enabled', enabled: true, about: 'enable a feature gate, from the next request on' },
  disable: { done: 'disabled', enabled: false, about: 'disable a feature gate, from the next request on' },
  reset: {
    done: 'reset',
    enabled: undefined,
    about: 'leave a feature gate to its default, as if nobody had turned it',
  },
} as const;

type Verb = keyof typeof verbs;

/** `kubectl feature-gates enable CRD GATE`, `disable` and `reset`. */
export function turnCommand(verb: Verb): Command {
  const command = new Command(verb)
    .description(verbs[verb].about)
    .argument('<crd>', 'the CustomResourceDefinition: crontabs.stable.example.com, crontabs, ct')
    .argument('<gate>', 'the name of the gate')
    .addOption(
      new Option('--dry-run [strategy]', 'server: say what would happen, and which objects hold the fields')
        .choices(['none', 'server'])
        .preset('server')
        .default('none'),
    )
    .action((crd: string, gate: string, flags: TurnFlags) =>
      turn(new Kubectl({ ...flags }), { crd, gate, verb, flags }),
    );
  for (const option of connectionOptions()) command.addOption(option);
  return command;
}

interface Turn {
  readonly crd: string;
  readonly gate: string;
  readonly verb: Verb;
  readonly flags: TurnFlags;
}

async function turn(kubectl: Kubectl, { crd: asked, gate, verb, flags }: Turn): Promise<void> {
  const crd = findCrd(await readCrds(kubectl), asked);
  const index = indexOfGate(crd, gate);
  if (index < 0) throw new Error(noSuchGate(crd, gate));
  const operation = operationFor(crd, gate, verb, index);
  if (operation !== undefined) await patch(kubectl, crd, [testName(index, gate), operation], flags);
  const dryRun = flags.dryRun === 'none' ? '' : ' (server dry run)';
  process.stdout.write(`${nameOf(crd)}/${gate} ${verbs[verb].done}${dryRun}\n`);
  if (flags.dryRun !== 'none') await printHolders(kubectl, crd, gate);
}

const pathOf = (index: number) => `/spec/customFeatureGates/featureGates/${index}`;

/** The gate may have another index since it was read: then the patch fails. */
function testName(index: number, gate: string): JsonObject {
  return { op: 'test', path: `${pathOf(index)}/name`, value: gate };
}

/** Undefined if there is nothing to reset. */
function operationFor(crd: KubeObject, gate: string, verb: Verb, index: number): JsonObject | undefined {
  const path = `${pathOf(index)}/enabled`;
  const { enabled } = verbs[verb];
  if (enabled !== undefined) return { op: 'add', path, value: enabled };
  const isSet = listGates([crd]).find(({ name }) => name === gate)?.set !== undefined;
  return isSet ? { op: 'remove', path } : undefined;
}

async function patch(
  kubectl: Kubectl,
  crd: KubeObject,
  operations: readonly JsonObject[],
  { dryRun }: TurnFlags,
): Promise<void> {
  await kubectl.run(
    'patch',
    'customresourcedefinitions.apiextensions.k8s.io',
    nameOf(crd),
    '--type=json',
    '--field-manager=kubectl-feature-gates',
    `--dry-run=${dryRun}`,
    `--patch=${JSON.stringify(operations)}`,
  );
}

/**
 * The objects with a field of the gate: the field freezes when the gate goes off, and can change again when it goes
 * on.
 */
async function printHolders(kubectl: Kubectl, crd: KubeObject, gate: string): Promise<void> {
  const paths = listGates([crd]).find(({ name }) => name === gate)?.fieldPaths ?? [];
  const lines: string[] = [];
  for await (const object of readObjects(kubectl, crd)) {
    const held = paths.filter((path) => holdsField(object, path));
    const where = [namespaceOf(object), nameOf(object)].filter((part) => part !== '').join('/');
    if (held.length > 0) lines.push(`  ${where}: ${held.join(', ')}\n`);
  }
  const count = `${lines.length} ${lines.length === 1 ? 'object holds' : 'objects hold'}`;
  process.stdout.write(`${count} a field of this gate${lines.length === 0 ? '' : ':'}\n${lines.join('')}`);
}

function noSuchGate(crd: KubeObject, gate: string): string {
  const known = listGates([crd]).map(({ name }) => name);
  const which = known.length === 0 ? 'it has none' : `it has ${known.join(', ')}`;
  return `${nameOf(crd)} has no feature gate ${gate}: ${which}`;
}
