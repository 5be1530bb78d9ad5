import { Command, Option } from 'commander';
import { type KubeObject, nameOf } from '../../meta/index.ts';
import { connectionOptions, Kubectl } from './kubectl.ts';
import { indexOfGate, listGates } from './listed-gate.ts';
import { findCrd, readCrds } from './read-crds.ts';

interface TurnFlags {
  readonly dryRun: 'none' | 'server';
}

/** `kubectl feature-gates enable CRD GATE`, and `disable`. */
export function turnCommand(verb: 'enable' | 'disable'): Command {
  const command = new Command(verb)
    .description(`${verb} a feature gate, from the next request on`)
    .argument('<crd>', 'the CustomResourceDefinition: crontabs.stable.example.com, crontabs, ct')
    .argument('<gate>', 'the name of the gate')
    .addOption(
      new Option('--dry-run <strategy>', 'server: say what would happen')
        .choices(['none', 'server'])
        .default('none'),
    )
    .action((crd: string, gate: string, flags: TurnFlags) =>
      turn(new Kubectl({ ...flags }), { crd, gate, enabled: verb === 'enable', flags }),
    );
  for (const option of connectionOptions()) command.addOption(option);
  return command;
}

interface Turn {
  readonly crd: string;
  readonly gate: string;
  readonly enabled: boolean;
  readonly flags: TurnFlags;
}

async function turn(kubectl: Kubectl, { crd: asked, gate, enabled, flags }: Turn): Promise<void> {
  const crd = findCrd(await readCrds(kubectl), asked);
  const index = indexOfGate(crd, gate);
  if (index < 0) throw new Error(noSuchGate(crd, gate));
  const at = `/spec/customFeatureGates/featureGates/${index}`;
  // The gate may have moved since it was read: then nothing is changed.
  const patch = [
    { op: 'test', path: `${at}/name`, value: gate },
    { op: 'add', path: `${at}/enabled`, value: enabled },
  ];
  await kubectl.run(
    'patch',
    'customresourcedefinitions.apiextensions.k8s.io',
    nameOf(crd),
    '--type=json',
    '--field-manager=kubectl-feature-gates',
    `--dry-run=${flags.dryRun}`,
    `--patch=${JSON.stringify(patch)}`,
  );
  const dryRun = flags.dryRun === 'none' ? '' : ' (server dry run)';
  process.stdout.write(`${nameOf(crd)}/${gate} ${enabled ? 'enabled' : 'disabled'}${dryRun}\n`);
}

function noSuchGate(crd: KubeObject, gate: string): string {
  const known = listGates([crd]).map(({ name }) => name);
  const which = known.length === 0 ? 'it has none' : `it has ${known.join(', ')}`;
  return `${nameOf(crd)} has no feature gate ${gate}: ${which}`;
}
