import { Command, Option } from 'commander';
import { encodeJsonPretty } from '../codec/index.ts';
import { type CrdChange, diffCrds } from './diff/diff.ts';
import { readCrds } from './diff/read-source.ts';
import { words } from './flag-values.ts';
import type { Checked } from './validate/checked.ts';
import { findingText, objectName } from './validate/formats/names.ts';
import { validate } from './validate/validate.ts';

/** What a comparison found. */
interface Report {
  readonly changes: readonly CrdChange[];
  /** Objects that the new CRDs do not take. */
  readonly refused: readonly Checked[];
}

interface DiffFlags {
  readonly output: 'text' | 'json';
  readonly objects: readonly string[];
}

/** kubectl diff has 1 for differences and more for trouble. */
const exitCodes = { breaking: 1, trouble: 2 } as const;

/** `ilk diff`: what a new CRD breaks. */
export function diffCommand(): Command {
  return new Command('diff')
    .description('say what changed between two CRDs, and what of it breaks objects and clients')
    .argument('<old>', 'a file, a folder, `-`, or git:REVISION:PATH')
    .argument('<new>', 'the same')
    .addOption(new Option('-o, --output <format>', 'how to report').choices(['text', 'json']).default('text'))
    .option('--objects <path>', 'objects that the new CRDs must take, too; repeatable', words, [])
    .addHelpText('after', '\nExit code: 0 nothing breaks, 1 something does, 2 trouble.')
    .action(run);
}

async function run(before: string, after: string, { output, objects }: DiffFlags): Promise<void> {
  process.exitCode = exitCodes.trouble;
  const report = await compare(before, after, objects);
  process.stdout.write(output === 'json' ? json(report) : text(report));
  process.exitCode = isBreaking(report) ? exitCodes.breaking : 0;
}

async function compare(before: string, after: string, objects: readonly string[]): Promise<Report> {
  const [was, is] = [await readCrds(before), await readCrds(after)];
  const checked = objects.length === 0 ? [] : await check(is, objects);
  return { changes: diffCrds(was, is), refused: checked.filter(({ errors }) => errors.length > 0) };
}

function check(crds: Awaited<ReturnType<typeof readCrds>>, paths: readonly string[]): Promise<Checked[]> {
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

function isBreaking({ changes, refused }: Report): boolean {
  return refused.length > 0 || changes.some(({ severity }) => severity === 'breaking');
}

function text({ changes, refused }: Report): string {
  const breaking = changes.filter(({ severity }) => severity === 'breaking').length;
  const lines = [
    ...changes.map(({ crd, version, path, severity, message }) => {
      const where = [crd, version, path].filter((part) => part !== '').join(' ');
      return `${where}: ${severity}: ${message}`;
    }),
    ...refused.flatMap((checked) =>
      checked.errors.map(
        (finding) => `${checked.file}:${finding.line}: ${objectName(checked)}: ${findingText(finding)}`,
      ),
    ),
    `${changes.length} ${changes.length === 1 ? 'change' : 'changes'}, ${breaking} breaking`,
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function json({ changes, refused }: Report): string {
  return encodeJsonPretty({
    changes: changes.map((change) => ({ ...change })),
    refused: refused.map(({ file, line, errors, ...checked }) => ({
      file,
      line,
      object: objectName({ file, line, errors, ...checked }),
      errors: errors.map((error) => ({ ...error })),
    })),
  }).toString();
}
