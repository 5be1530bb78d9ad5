import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { matcher } from '../../test/console-steps.ts';
import { buildIfMissing } from '../../test/fixtures/ilk-process.ts';
import { Shell } from './shell.ts';
import { stepsOfPage } from './steps.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** How a page is followed. */
export interface StoryOptions {
  /** What a reader has before the first command: called with the folder, gives further variables of the shell. */
  readonly before?: (folder: string, shell: Shell) => Promise<void>;
  readonly variables?: Readonly<Record<string, string>>;
  /** Commands that are not run, by how they begin, each with its reason. */
  readonly skip?: Readonly<Record<string, string>>;
  /** Commands that wait for something: asked again until they answer as the page says. */
  readonly polled?: RegExp;
  /** Numbers differ each time: of objects, revisions, days. */
  readonly numbersVary?: boolean;
  /** Codes that commands end with whose answer the page does not show. */
  readonly codes?: readonly number[];
}

/** The files that a page shows: blocks whose first line is a comment with a path. */
export function filesOf(markdown: string): { readonly name: string; readonly text: string }[] {
  const blocks = markdown.matchAll(/```(?:yaml|ts|python|ini)\n(?:#|\/\/) (\S+\.\w+)\n([\s\S]*?)```/g);
  return [...blocks].map(([, name = '', text = '']) => ({ name, text }));
}

/**
 * Follows a page of docs/ in a folder of its own: writes its files, then runs its commands in order, in one shell, and holds
 * what they say against the page. `ilk serve` goes to the background, on a free port.
 */
export function followPage(page: string, options: StoryOptions = {}): void {
  describe(`docs/${page}`, () => {
    const markdown = readFileSync(`${root}docs/${page}`, 'utf8');
    const skipped = Object.keys(options.skip ?? {});
    const isSkipped = (command: string) => skipped.some((start) => command.startsWith(start));
    const steps = stepsOfPage(markdown);
    let folder = '';
    let shell: Shell;
    beforeAll(async () => {
      buildIfMissing();
      folder = folderOf(markdown);
      shell = new Shell(folder, {
        PATH: `${root}bin:${process.env['PATH']}`,
        HOME: join(folder, 'home'),
        // What npm finds odd about the machine is no part of an answer.
        npm_config_loglevel: 'error',
        ...options.variables,
      });
      await options.before?.(folder, shell);
    });
    afterAll(async () => {
      await shell[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    });

    test('has commands, and those that are skipped', () => {
      expect(steps.length).toBeGreaterThan(0);
      const commands = steps.map(({ command }) => command);
      expect(skipped.filter((start) => !commands.some((command) => command.startsWith(start)))).toEqual([]);
    });

    test.each(steps.filter(({ command }) => !isSkipped(command)))('$command', async ({ command, answer }) => {
      if (isServer.test(command)) return startServer(shell, command);
      if (answer.trim() === '') {
        const { said, code } = await shell.run(command);
        return expect((options.codes ?? [0]).includes(code) ? '' : said).toBe('');
      }
      const plain = (text: string) => (options.numbersVary === true ? text.replaceAll(/\d+/g, '0') : text);
      // With a line before it, so that … stands for any lines at the beginning, too.
      const said = async () => plain(`\n${(await shell.run(command)).said}`);
      const expected = matcher(plain(`\n${answer}`));
      if (options.polled?.test(command)) await expect.poll(said, polling).toMatch(expected);
      else expect(await said()).toMatch(expected);
    });
  });
}

const isServer = /^(npx )?ilk serve /;
const polling = { timeout: 30_000, interval: 200 };

/** Starts a server in the background of the shell, on a free port, and waits until it serves. */
export async function startServer(shell: Shell, command: string): Promise<void> {
  const onFreePort = command.includes('--secure-port') ? command : `${command} --secure-port 0`;
  await shell.run(`${onFreePort} >serve.log 2>&1 &`);
  const { said } = await shell.run(
    `until grep -q '^ilk is serving on' serve.log || ! kill -0 $!; do sleep 0.1; done; cat serve.log`,
  );
  expect(said).toMatch(/^ilk is serving on/m);
}

/** A project as pages suppose it: their files, the examples, and the package. */
function folderOf(markdown: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'ilk-site-'));
  const named = ['examples', 'deploy'].filter((name) => markdown.includes(` ${name}/`));
  for (const name of named) symlinkSync(root + name, join(folder, name));
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  mkdirSync(join(folder, 'home'));
  writeFileSync(join(folder, 'package.json'), '{"name":"gardens","version":"1.0.0","type":"module"}');
  symlinkSync(root, join(folder, 'node_modules/ilk-apiserver'));
  symlinkSync(`${root}bin/ilk`, join(folder, 'node_modules/.bin/ilk'));
  for (const { name, text } of filesOf(markdown)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}
