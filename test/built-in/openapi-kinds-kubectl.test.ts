import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LoadError, startServer, type IlkServer } from '../../src/testing/index.ts';
import { buildIfMissing, IlkProcess } from '../fixtures/ilk-process.ts';
import { Kubectl, kubectlMinor } from '../fixtures/kubectl.ts';
import { document } from './openapi-kinds.test-data.ts';

let folder: string;
let file: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ilk-openapi-'));
  file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(document));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe.skipIf(kubectlMinor === undefined)('kubectl (skipped where it is not on the PATH)', () => {
  let server: IlkServer;
  let kubectl: Kubectl;
  beforeAll(async () => {
    server = await startServer({ openapi: [file], listen: { host: '127.0.0.1', port: 0, tls: true } });
    kubectl = new Kubectl(server.kubeconfigPath);
  });
  afterAll(async () => {
    kubectl[Symbol.dispose]();
    await server.close();
  });

  async function said(words: string, input?: unknown): Promise<string> {
    const { code, out, err } = await kubectl.run(words, [], { input });
    expect({ code, err, out: code === 0 ? '' : out }).toEqual({ code: 0, err: '', out: '' });
    return out;
  }

  const gate = (tls: object[]) => ({
    apiVersion: 'doors.k8s.io/v1',
    kind: 'Gate',
    metadata: { name: 'door' },
    spec: { gateClassName: 'front', tls },
  });

  test('applies, gets, describes and explains what only a document describes', async () => {
    const tls = [{ host: 'a' }, { host: 'b', secret: 's' }];
    expect(await said('apply -f -', gate(tls))).toBe('gate.doors.k8s.io/door created\n');
    expect(await said('patch gate door -p {"spec":{"tls":[{"host":"a","secret":"t"}]}}')).toBe(
      'gate.doors.k8s.io/door patched\n',
    );
    expect(await said('apply -f -', gate(tls.slice(0, 1)))).toBe('gate.doors.k8s.io/door configured\n');
    expect(await said('get gate door -o jsonpath={.spec.tls}')).toBe('[{"host":"a","secret":"t"}]');
    expect(await said('get gates')).toMatch(/^NAME {3}AGE\ndoor {3}\d+s\n$/);
    expect(await said('explain gate.spec.gateClassName')).toContain('Who serves it.');
    await said('apply -f -', { apiVersion: 'v1', kind: 'Host', metadata: { name: 'one' } });
    expect(await said('describe host one')).toContain('one');
  });
});

test('a file that is no document is named where it is refused', async () => {
  const wrong = join(folder, 'wrong.json');
  writeFileSync(wrong, '{"swagger": "2.0"}');
  const complaint = `${wrong}: it has no "paths"; "kubectl get --raw /openapi/v2" prints such a document`;
  await expect(startServer({ openapi: [file, wrong] })).rejects.toEqual(new LoadError(complaint));
  buildIfMissing();
  const flags = ['--storage=memory', '--secure-port=0', `--data-dir=${join(folder, 'data')}`];
  const ilk = new IlkProcess(['serve', ...flags, `--openapi=${file}`, `--openapi=${wrong}`]);
  expect(await ilk.ended()).toEqual({ code: 1, out: '', err: `ilk: ${complaint}\n` });
});
