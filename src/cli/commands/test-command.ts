import { Command, Option } from 'commander';
import type { FeatureGates } from '../../meta/index.ts';
import { LoadError } from '../../manifests/index.ts';
import { featureGates, words } from '../flags/flag-values.ts';
import { filenameOption, sourcesHelp } from '../flags/source-flags.ts';
import { paintFor, plain } from '../paint.ts';
import { countsOf } from '../policy-test/case-result.ts';
import { policyTestFormats } from '../policy-test/formats.ts';
import { runPolicyTests } from '../policy-test/run-policy-tests.ts';

/** The flags of `ilk test`, as parsed by commander. */
interface TestFlags {
  readonly crds: readonly string[];
  readonly policies: readonly string[];
  readonly output: string;
  readonly featureGates?: FeatureGates;
  readonly filename: readonly string[];
}

const exitCodes = { failures: 1, trouble: 2 } as const;

/** `ilk test`: checks the decisions of admission policies against tables of cases. */
export function testCommand(): Command {
  return new Command('test')
    .description('run test cases for admission policies')
    .argument('[paths...]', `policies and their cases: ${sourcesHelp}`)
    .addOption(filenameOption())
    .option('--crds <path>', 'CRDs in other directories than the cases; repeatable', words, [])
    .option(
      '--policies <path>',
      'policies, bindings and parameters in other directories than the cases; repeatable',
      words,
      [],
    )
    .addOption(
      new Option('-o, --output <format>', 'report format')
        .choices([...policyTestFormats.keys()])
        .default('text'),
    )
    .addOption(
      new Option('--feature-gates <list>', 'feature gates to set: A=true,B=false').argParser(featureGates),
    )
    .addHelpText('after', '\nExit code: 0 all cases pass, 1 some do not, 2 trouble.')
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : exitCodes.trouble))
    .action(run);
}

async function run(args: readonly string[], flags: TestFlags): Promise<void> {
  process.exitCode = exitCodes.trouble;
  const paths = [...args, ...flags.filename];
  if (paths.length === 0) throw new LoadError('say where the policies and their cases are');
  const { crds, policies, featureGates: gates } = flags;
  const report = await runPolicyTests({ paths, crds, policies, featureGates: gates });
  const paint = flags.output === 'text' ? paintFor(process.stdout, process.env) : plain;
  process.stdout.write(policyTestFormats.get(flags.output)?.(report, paint) ?? '');
  const { failed, errors } = countsOf(report);
  process.exitCode = failed + errors > 0 ? exitCodes.failures : 0;
}
