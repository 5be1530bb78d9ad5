import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { buildIfMissing } from '../fixtures/ilk-process.ts';

beforeAll(buildIfMissing);

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'ilk-npx-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let group: number | undefined;
afterEach(() => {
  if (group !== undefined) endGroup(group);
});

test('ilk serve ends after the shell of npx, which alone gets the signals of npx', async () => {
  // With a command after it, so that no shell replaces itself by node.
  const command = `'${process.execPath}' bin/ilk serve --storage memory --data-dir '${folder}' --secure-port 0; true`;
  const shell = spawn('sh', ['-c', command], {
    cwd: root,
    env: { ...process.env, npm_lifecycle_event: 'npx', npm_lifecycle_script: "'ilk'" },
    detached: true,
  });
  group = shell.pid;
  let [out, err] = ['', ''];
  const ready = new Promise<void>((resolve) => {
    shell.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      if (out.includes('export KUBECONFIG=')) resolve();
    });
  });
  shell.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  // The streams close when the server has ended, too.
  const closed = once(shell, 'close');
  await Promise.race([ready, closed]);
  shell.kill('SIGTERM');
  await closed;
  expect(out).toMatch(/^ilk is serving on /);
  expect(err).toContain('npx has ended: closing');
});

/** Ends what a failure has left. */
function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing is left.
  }
}
