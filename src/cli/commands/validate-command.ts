import { Command, Option } from 'commander';
import { encodeYaml } from '../../codec/index.ts';
import type { FeatureGates, UserInfo } from '../../meta/index.ts';
import { featureGates, words } from '../flags/flag-values.ts';
import { paintFor, plain } from '../paint.ts';
import { filenameOption, sourcesHelp } from '../flags/source-flags.ts';
import { LoadError, standardInput } from '../../manifests/index.ts';
import { type CheckResult, summarize } from '../../offline/index.ts';
import { formats } from '../validate/formats/format.ts';
import { validate } from '../validate/validate.ts';

/** The flags of `ilk validate`, as parsed by commander. */
interface ValidateFlags {
  readonly crds: readonly string[];
  readonly old: readonly string[];
  readonly policies: readonly string[];
  readonly as?: string;
  readonly asGroup: readonly string[];
  readonly output: string;
  readonly strict: boolean;
  readonly ignoreMissingSchemas: boolean;
  readonly skip: readonly string[];
  readonly featureGates?: FeatureGates;
  readonly printObjects: boolean;
  readonly summary: boolean;
  readonly verbose: boolean;
  readonly filename: readonly string[];
}

/** `ilk validate`: validates objects as a server would, without a running server. */
export function validateCommand(): Command {
  return new Command('validate')
    .description('validate CRDs and objects in files as the server would')
    .argument('[paths...]', `${sourcesHelp}; nothing reads standard input`)
    .addOption(filenameOption())
    .option('--crds <path>', 'more CRDs: a file or a directory; repeatable', words, [])
    .option(
      '--old <path>',
      'existing objects: objects found here are validated as updates; repeatable',
      words,
      [],
    )
    .option(
      '--policies <path>',
      'admission policies, bindings and parameters to evaluate: a file or a directory; repeatable',
      words,
      [],
    )
    .option('--as <user>', 'user that policies see (default: an administrator)')
    .option('--as-group <group>', 'a group of that user; repeatable', words, [])
    .addOption(
      new Option('-o, --output <format>', 'report format').choices([...formats.keys()]).default('text'),
    )
    .option('--strict', 'report unknown and duplicate fields as errors, not warnings', false)
    .option('--ignore-missing-schemas', 'skip objects of kinds that no CRD defines', false)
    .option('--skip <kinds>', 'kinds to skip: Widget or example.com/v1/Widget', words, [])
    .addOption(
      new Option('--feature-gates <list>', 'feature gates to set: A=true,B=false').argParser(featureGates),
    )
    .option('--print-objects', 'print valid objects with their defaults; the report goes to stderr', false)
    .option('--summary', 'print the counts at the end, as on a terminal', false)
    .option('--verbose', 'report valid and skipped objects too', false)
    .addHelpText('after', '\nExit code: 0 all is well, 1 something is not.')
    .action(run);
}

async function run(paths: readonly string[], flags: ValidateFlags): Promise<void> {
  const sources = [...paths, ...flags.filename];
  const progress = new Progress();
  const all = await validate({
    ...flags,
    paths: sources.length === 0 ? [standardInput] : sources,
    skip: new Set(flags.skip),
    user: userOf(flags),
    featureGates: flags.featureGates,
    onProgress: (done, total) => progress.show(done, total),
  });
  progress.clear();
  if (all.length === 0) throw new LoadError(`${sources.join(', ') || standardInput}: no objects in it`);
  const stream = flags.printObjects ? process.stderr : process.stdout;
  const report =
    formats.get(flags.output)?.(all, {
      verbose: flags.verbose,
      summary: flags.summary || (flags.output === 'text' && stream.isTTY),
      paint: flags.output === 'text' ? paintFor(stream, process.env) : plain,
    }) ?? '';
  stream.write(report);
  if (flags.printObjects) process.stdout.write(manifests(all));
  const { invalid, error } = summarize(all);
  if (invalid + error > 0) process.exitCode = 1;
}

/** Groups require a user. */
function userOf({ as: name, asGroup }: ValidateFlags): UserInfo | undefined {
  if (name === undefined && asGroup.length > 0) throw new Error('--as-group needs --as');
  return name === undefined ? undefined : { name, groups: [...asGroup, 'system:authenticated'] };
}

function manifests(all: readonly CheckResult[]): string {
  const objects = all.flatMap(({ object }) => (object === undefined ? [] : [object]));
  return objects.map((object) => `---\n${encodeYaml(object).toString()}`).join('');
}

const quietMs = 500;
const showEveryMs = 100;

/** A progress line on a terminal; silent elsewhere, and for short runs. */
class Progress {
  readonly #startMs = performance.now();
  #shownMs = 0;

  show(done: number, total: number): void {
    const nowMs = performance.now();
    if (!process.stderr.isTTY || nowMs - this.#startMs < quietMs || nowMs - this.#shownMs < showEveryMs)
      return;
    this.#shownMs = nowMs;
    process.stderr.write(`\r${done} of ${total} objects`);
  }

  clear(): void {
    if (this.#shownMs > 0) process.stderr.write('\r\x1b[K');
  }
}
