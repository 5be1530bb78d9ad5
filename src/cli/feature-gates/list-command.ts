import { Command, Option } from 'commander';
import { nameOf } from '../../meta/index.ts';
import { words } from '../flags/flag-values.ts';
import { connectionOptions, Kubectl } from './kubectl.ts';
import { type ListedGate, listGates } from '../../crd/index.ts';
import { type Output, outputs, printGates } from './print-gates.ts';
import { findCrd, readCrds } from './read-crds.ts';

interface ListFlags {
  readonly output: Output;
  readonly apiGroup?: string;
  readonly stage: readonly string[];
  readonly state?: 'enabled' | 'disabled';
  readonly headers: boolean;
}

const stages = ['alpha', 'beta', 'stable', 'deprecated'];

/** `kubectl feature-gates [CRD...]` */
export function listCommand(): Command {
  const command = new Command('list')
    .description('list the feature gates on fields of custom resources')
    .argument(
      '[crd...]',
      'only those of these CustomResourceDefinitions: crontabs.stable.example.com, crontabs, ct',
    )
    .addOption(
      new Option('-o, --output <format>', 'wide, json, yaml or name')
        .choices(outputs.filter((output) => output !== ''))
        .default('', 'a table'),
    )
    .option('--api-group <group>', 'only those of an API group')
    .option('--stage <list>', `only those in a stage: ${stages.join(', ')}`, words, [])
    .addOption(new Option('--state <state>', 'only those in a state').choices(['enabled', 'disabled']))
    .option('--no-headers', 'no line of column names')
    .action(run);
  for (const option of connectionOptions()) command.addOption(option);
  return command;
}

async function run(asked: readonly string[], flags: ListFlags): Promise<void> {
  const unknown = flags.stage.find((stage) => !stages.includes(stage));
  if (unknown !== undefined)
    throw new Error(`there is no stage ${unknown}: it is one of ${stages.join(', ')}`);
  const crds = await readCrds(new Kubectl({ ...flags }));
  const meant = asked.length === 0 ? crds : asked.map((name) => findCrd(crds, name));
  const distinct = [...new Map(meant.map((crd) => [nameOf(crd), crd])).values()];
  const gates = listGates(distinct).filter((gate) => isWanted(gate, flags));
  if (gates.length === 0 && flags.output !== 'json' && flags.output !== 'yaml') {
    process.stderr.write('No feature gates found\n');
    return;
  }
  process.stdout.write(printGates(gates, flags.output, flags.headers));
}

function isWanted(
  { group, preRelease, enabled }: ListedGate,
  { apiGroup, stage, state }: ListFlags,
): boolean {
  if (apiGroup !== undefined && group !== apiGroup) return false;
  if (stage.length > 0 && !stage.includes(preRelease)) return false;
  return state === undefined || enabled === (state === 'enabled');
}
