import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IlkServer, startServer } from '../src/server.ts';
import { kubectlMinor } from './kubectl.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);

interface Step {
  readonly command: string;
  readonly answer: string;
}

/** The commands of all `console` blocks of a page, each with the answer that the page shows. */
function stepsOf(markdown: string): Step[] {
  const blocks = markdown.matchAll(/```console\n([\s\S]*?)```/g);
  return [...blocks].flatMap(([, block = '']) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((part) => {
        const [command = '', ...answer] = part.split('\n');
        return { command, answer: answer.join('\n') };
      }),
  );
}

/** What a person sees in a terminal: both streams, in order. */
async function terminal(command: string, kubeconfig: string): Promise<string> {
  const env = { ...process.env, KUBECONFIG: kubeconfig };
  const script = `(${command}) 2>&1 || true`;
  const { stdout } = await run('sh', ['-c', script], { cwd: root, env });
  return stdout;
}

/** `…` alone on a line stands for any lines, within a line for anything. */
function matcher(answer: string): RegExp {
  const escaped = answer.trimEnd().replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('\n…', '\n[\\s\\S]*').replaceAll('…', '.*')}\\s*$`);
}

/** Older ones print the same answers in other words. */
const minorMin = 30;

describe.skipIf((kubectlMinor ?? 0) < minorMin)(
  `the tutorial in README.md (skipped without kubectl 1.${minorMin} on the PATH)`,
  () => {
    let server: IlkServer;
    beforeAll(async () => {
      server = await startServer({ listen: { host: '127.0.0.1', port: 0, tls: true } });
    });
    afterAll(() => server.close());

    const steps = stepsOf(readFileSync(`${root}/README.md`, 'utf8'));

    test('has steps', () => {
      expect(steps.length).toBeGreaterThan(10);
    });

    test.each(steps)('$command', async ({ command, answer }) => {
      expect(await terminal(command, server.kubeconfigPath)).toMatch(matcher(answer));
    });
  },
);
