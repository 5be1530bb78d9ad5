import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildIfMissing } from '../fixtures/ilk-process.ts';

const bin = fileURLToPath(new URL('../../bin/ilk', import.meta.url));
const zshDriver = fileURLToPath(new URL('complete-in-zsh.zsh', import.meta.url));
const root = mkdtempSync(join(tmpdir(), 'ilk-completion-'));

beforeAll(async () => {
  await buildIfMissing();
  mkdirSync(join(root, 'work', 'folder'), { recursive: true });
  writeFileSync(join(root, 'work', 'crd.yaml'), '');
});
afterAll(() => rmSync(root, { recursive: true }));

/** A line, and what Tab offers for its last word. */
const lines: readonly (readonly [line: string, offered: readonly string[]])[] = [
  ['ilk val', ['validate']],
  ['ilk --', ['--help', '--version']],
  ['ilk completion ', ['bash', 'fish', 'zsh']],
  ['ilk user ', ['add', 'list', 'remove']],
  ['ilk user add --kube', ['--kubeconfig-out']],
  ['ilk validate --out', ['--output']],
  ['ilk validate -o ', ['github', 'json', 'junit', 'tap', 'text', 'yaml']],
  ['ilk validate --output j', ['json', 'junit']],
  ['ilk validate --output=j', ['json', 'junit']],
  ['ilk validate ', ['crd.yaml', 'folder']],
  ['ilk validate -o json ', ['crd.yaml', 'folder']],
  ['ilk diff --crds f', ['folder']],
  ['ilk serve --data-dir=f', ['folder']],
];

const typed = lines.map(([line]) => line);

/** Runs a shell with a file of its completion script: what it offers, a line for each typed one. */
type Ask = (script: string) => string;

const shells: Readonly<Record<string, Ask>> = {
  bash: (script) => inShell('bash', ['-c', `source ${script}\n${typed.map(bashCall).join('\n')}`]),
  // The whole line with all that is offered in it: this is a terminal in which Tab is pressed.
  zsh: (script) =>
    inShell('zsh', ['-f', zshDriver, script, ...typed])
      .split('\n')
      .map((line, index) => line.split(' ').slice(lastWordOf(typed[index])).join(' '))
      .join('\n'),
  fish: (script) => inShell('fish', ['-N', '-c', `source ${script}\n${typed.map(fishCall).join('\n')}`]),
};

function inShell(shell: string, args: readonly string[]): string {
  const { stdout, stderr } = spawnSync(shell, args, {
    cwd: join(root, 'work'),
    encoding: 'utf8',
    env: { ...process.env, HOME: root, XDG_CONFIG_HOME: root, XDG_DATA_HOME: root },
  });
  expect(stderr).toBe('');
  return stdout;
}

/** With the line in words as readline parts it: COMP_WORDBREAKS has the equals sign. */
function bashCall(line: string): string {
  const words = line.split(/ |(=)/).filter((word) => word !== undefined);
  const quoted = words.map((word) => `'${word}'`).join(' ');
  return `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _ilk; echo "\${COMPREPLY[*]}"`;
}

/** Each offer comes with its description behind a tab. */
function fishCall(line: string): string {
  return `string join -- ' ' (complete -C '${line}' | string replace -r '\\t.*' '')`;
}

const lastWordOf = (line = ''): number => line.split(' ').length - 1;

/** Some shells offer the whole word where a part is asked for, a slash after folders, an equals sign after flags. */
function plain(offered: string): string[] {
  return offered
    .trim()
    .split(' ')
    .map((word) => word.replace(/^--[\w-]+=(?=.)/, '').replace(/[/=]$/, ''))
    .sort();
}

const isThere = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0;

describe.each(Object.entries(shells))('%s', (shell, ask) => {
  test.skipIf(!isThere(shell) && process.env['CI'] === undefined)(
    `completes command lines (skipped without ${shell})`,
    () => {
      const script = join(root, `_ilk.${shell}`);
      writeFileSync(script, execFileSync(process.execPath, [bin, 'completion', shell]));
      const offers = ask(script).split('\n');
      expect(typed.map((line, index) => [line, plain(offers[index] ?? '')])).toEqual(lines);
    },
  );
});
