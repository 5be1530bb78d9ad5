import { existsSync } from 'node:fs';
import { Command, Option } from 'commander';
import { loadCrds, type LoadedObject, LoadError } from '../../manifests/index.ts';
import { defaultConfiguration, judged, readConfiguration } from '../diff/configuration.ts';
import { diffCrds } from '../../diff/index.ts';
import { type DiffReport, diffFormats, isBreaking } from '../diff/formats.ts';
import { words } from '../flags/flag-values.ts';
import { paintFor, plain } from '../paint.ts';
import { filenameOption, sourcesHelp } from '../flags/source-flags.ts';
import type { CheckResult } from '../../offline/index.ts';
import { validate } from '../validate/validate.ts';

interface DiffFlags {
  readonly output: string;
  readonly objects: readonly string[];
  readonly filename: readonly string[];
  readonly config?: string;
}

/** kubectl diff exits with 1 for differences and with more for errors. */
const exitCodes = { breaking: 1, trouble: 2 } as const;

/** Read if it exists and no other file is given. */
const usualConfiguration = '.ilk-diff.yaml';

/** `ilk diff`: reports the breaking changes of a new CRD. */
export function diffCommand(): Command {
  return new Command('diff')
    .description('print the changes between two CRDs, and which of them break objects or clients')
    .argument('[old]', `CRDs as they were: ${sourcesHelp}`)
    .argument('[new]', 'CRDs as they are')
    .addOption(filenameOption())
    .addOption(
      new Option('-o, --output <format>', 'report format').choices([...diffFormats.keys()]).default('text'),
    )
    .option('--objects <path>', 'objects that the new CRDs must accept; repeatable', words, [])
    .option('--config <file>', `configuration file: rules and severities (default: ${usualConfiguration})`)
    .addHelpText('after', '\nExit code: 0 nothing breaks, 1 something does, 2 trouble.')
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : exitCodes.trouble))
    .action(run);
}

async function run(old: string | undefined, present: string | undefined, flags: DiffFlags): Promise<void> {
  process.exitCode = exitCodes.trouble;
  const sources = [old, present, ...flags.filename].filter((source) => source !== undefined);
  const [before, after] = sources;
  if (before === undefined || after === undefined || sources.length > 2) {
    throw new LoadError('say two: the CRDs as they were, and as they are');
  }
  const report = await compare(before, after, flags);
  const paint = flags.output === 'text' ? paintFor(process.stdout, process.env) : plain;
  process.stdout.write(diffFormats.get(flags.output)?.(report, paint) ?? '');
  process.exitCode = isBreaking(report) ? exitCodes.breaking : 0;
}

async function compare(before: string, after: string, { objects, config }: DiffFlags): Promise<DiffReport> {
  const file = config ?? (existsSync(usualConfiguration) ? usualConfiguration : undefined);
  const configuration = file === undefined ? defaultConfiguration : await readConfiguration(file);
  const [was, is] = [await loadCrds(before), await loadCrds(after)];
  const checked = objects.length === 0 ? [] : await check(is, objects);
  return {
    changes: judged(diffCrds(was, is), configuration),
    refused: checked.filter(({ errors }) => errors.length > 0),
  };
}

function check(crds: readonly LoadedObject[], paths: readonly string[]): Promise<CheckResult[]> {
  return validate({
    paths,
    crds: [],
    loadedCrds: crds,
    old: [],
    strict: false,
    ignoreMissingSchemas: true,
    skip: new Set(['CustomResourceDefinition']),
    featureGates: undefined,
    onProgress: () => {},
  });
}
