import { Command, Option } from 'commander';
import { type JsonObject, type KubeObject, nameOf, namespaceOf } from '../../meta/index.ts';
import { connectionOptions, Kubectl } from './kubectl.ts';
import { holdsField, indexOfGate, listGates, turnOperations } from '../../crd/index.ts';
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
    about: 'leave a feature gate to its default, as if it had never been set',
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
  if (indexOfGate(crd, gate) < 0) throw new Error(noSuchGate(crd, gate));
  const operations = turnOperations(crd, gate, verbs[verb].enabled);
  if (operations.length > 0) await patch(kubectl, crd, operations, flags);
  const dryRun = flags.dryRun === 'none' ? '' : ' (server dry run)';
  process.stdout.write(`${nameOf(crd)}/${gate} ${verbs[verb].done}${dryRun}\n`);
  if (flags.dryRun !== 'none') await printHolders(kubectl, crd, gate);
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
