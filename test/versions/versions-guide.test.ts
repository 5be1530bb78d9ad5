import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IlkServer, startServer } from '../../src/server.ts';
import { freePorts } from '../../src/storage/etcd/etcd-process.test-support.ts';
import { kubectlMinor } from '../fixtures/kubectl.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(`${root}/docs/versions.md`, 'utf8');

/** The commands of the blocks of a language, with what stands below each. */
function stepsOf(language: string): { command: string; answer: string }[] {
  const blocks = [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))];
  if (language === 'sh') {
    return blocks.flatMap(([, block = '']) =>
      block
        .trim()
        .split('\n')
        .map((command) => ({ command, answer: '' })),
    );
  }
  return blocks.flatMap(([, block = '']) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((part) => {
        const [command = '', ...answer] = part.split('\n');
        return { command, answer: answer.join('\n').trim() };
      }),
  );
}

const hasOpenSsl = spawnSync('openssl', ['version']).status === 0;
const minorMin = 30;

describe.skipIf(!hasOpenSsl || (kubectlMinor ?? 0) < minorMin)(
  `the guide in docs/versions.md (skipped without openssl and kubectl 1.${minorMin} on the PATH)`,
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'ilk-guide-'));
    const [makeCertificate, startWebhook, startIlk] = stepsOf('sh').map(({ command }) => command);
    let server: IlkServer;
    let stop = () => {};

    beforeAll(async () => {
      symlinkSync(`${root}/examples`, join(folder, 'examples'));
      execFileSync('sh', ['-c', `${makeCertificate} 2>/dev/null`], { cwd: folder });
      const [port = 0] = await freePorts(1);
      const [, ...args] = (startWebhook ?? '').replace('9443', String(port)).split(' ');
      const webhook = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
      stop = () => webhook.kill();
      await once(webhook.stdout, 'data');
      const [, service = '', url = ''] = /--service (\S+?)=(\S+)/.exec(startIlk ?? '') ?? [];
      const services = { [service]: url.replace('9443', String(port)) };
      server = await startServer({ listen: { host: '127.0.0.1', port: 0, tls: true }, services });
    });
    afterAll(async () => {
      stop();
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    });

    test.each(stepsOf('console'))('$command', async ({ command, answer }) => {
      const env = { ...process.env, KUBECONFIG: server.kubeconfigPath };
      const script = `(${command}) 2>&1 || true`;
      const { stdout } = await promisify(execFile)('sh', ['-c', script], { cwd: folder, env });
      expect(stdout.trim()).toBe(answer);
    });
  },
);

test('the guide names the limits as they are', () => {
  const limits = readFileSync(`${root}/docs/reference/limits.md`, 'utf8');
  for (const [name, value] of [
    ['conversionTimeoutMs', 30_000],
    ['conversionReviewObjectsMax', 500],
    ['conversionReviewBytesMax', 8 * 1024 * 1024],
    ['webhookResponseBytesMax', 64 * 1024 * 1024],
    ['webhookConnectionsMax', 16],
  ] as const) {
    expect(limits).toContain(`| \`${name}\` | ${value} |`);
  }
});
