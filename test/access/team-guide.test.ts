import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { matcher, stepsOf, terminal } from '../console-steps.ts';
import { buildIfMissing, IlkProcess } from '../fixtures/ilk-process.ts';
import { kubectlMinor } from '../fixtures/kubectl.ts';
import { Issuer } from './oidc-provider.test-support.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(`${root}/docs/team.md`, 'utf8');

/** Older ones print the same answers in other words. */
const minorMin = 30;

/** The files of the page: each says its name in its first line. */
const files = [...page.matchAll(/```yaml\n# (\S+)\n([\s\S]*?)```/g)].map(([, name = '', text = '']) => ({
  name,
  text,
}));
const serveWords = /```sh\nilk (serve .*)\n```/.exec(page)?.[1]?.split(' ') ?? [];
const pathFlags = ['--data-dir', '--audit-policy-file', '--audit-log-path', '--oidc-ca-file'];

describe.skipIf((kubectlMinor ?? 0) < minorMin)(
  `the guide docs/team.md (skipped without kubectl 1.${minorMin} on the PATH)`,
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'ilk-team-'));
    let issuer: Issuer;
    let server: IlkProcess;
    beforeAll(async () => {
      buildIfMissing();
      mkdirSync(join(folder, 'home'));
      issuer = await Issuer.start({
        dora: { email: 'dora@example.com', email_verified: true, groups: ['auditors'] },
      });
      for (const { name, text } of files) writeFileSync(join(folder, name), text);
      writeFileSync(join(folder, 'issuer.pem'), issuer.caPem);
      writeFileSync(join(folder, 'dora.token'), await issuer.logIn('dora'));
      const flags = serveWords.map((word, index) => {
        if (pathFlags.includes(serveWords[index - 1] ?? '')) return join(folder, word);
        return word === 'https://issuer.example.com' ? issuer.url : word;
      });
      server = new IlkProcess([...flags, '--secure-port=0']);
      await server.ready();
    });
    afterAll(async () => {
      server.kill('SIGKILL');
      await server.ended();
      await issuer[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    });

    const steps = stepsOf(page);
    test('has files and steps', () => {
      expect(files.map(({ name }) => name)).toEqual([
        'audit-policy.yaml',
        'platform.yaml',
        'orders-roles.yaml',
        'orders.yaml',
        'order.yaml',
      ]);
      expect(steps.length).toBeGreaterThan(15);
    });

    test.each(steps)('$command', async ({ command, answer }) => {
      const variables = { PATH: `${root}bin:${process.env['PATH']}`, HOME: join(folder, 'home') };
      const run = () => terminal(`cd ${folder} && ${command}`, variables);
      // What a controller adds to roles, and a log that is written, are there within moments.
      const polled = { timeout: 20_000, interval: 100 };
      if (isRepeatable(command)) await expect.poll(run, polled).toMatch(matcher(answer));
      else expect(await run()).toMatch(matcher(answer));
    });
  },
);

/** What reads, or comes to the same twice. */
function isRepeatable(command: string): boolean {
  return /^grep | (?:get|apply|can-i) /.test(command);
}
