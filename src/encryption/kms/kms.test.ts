import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { KmsPlugin } from './kms-plugin.test-support.ts';
import { limits, systemTimers } from '../../meta/index.ts';
import recorded from '../go-cases.json' with { type: 'json' };
import { type EncryptionRules, KmsMetrics, readEncryptionConfiguration } from '../index.ts';
import { keyIdHash } from './write-key.ts';
import type { ReadValue } from '../transformer.ts';

/** Against a KMS v2 plugin in a separate process, and values that Kubernetes wrote with it. */

const annotations = { 'version.vault.example.com': '7' };
const plugin = new KmsPlugin({ current: 'k1', annotations });
beforeAll(() => plugin.start());
afterAll(() => plugin[Symbol.asyncDispose]());

interface StartOptions {
  readonly nowMs?: () => number;
  readonly providers?: readonly object[];
  readonly timeout?: string;
}

const secrets = { group: '', resource: 'secrets' };

/** Encryption rules with this plugin; each test calls the services once. */
async function rules({ nowMs = Date.now, providers, timeout = '5s' }: StartOptions = {}) {
  const troubles: string[] = [];
  const kmsMetrics = new KmsMetrics({ now: nowMs });
  const kms = { apiVersion: 'v2', name: 'vault', endpoint: plugin.endpoint, timeout };
  const found = readEncryptionConfiguration(
    JSON.stringify({
      apiVersion: 'apiserver.config.k8s.io/v1',
      kind: 'EncryptionConfiguration',
      resources: [{ resources: ['secrets'], providers: providers ?? [{ kms }] }],
    }),
    {
      clock: { now: nowMs },
      timers: systemTimers,
      onTrouble: (error) => troubles.push(String(error)),
      kmsMetrics,
    },
  );
  onTestFinished(() => found.services.close());
  await found.services.start();
  return { found, troubles, kmsMetrics };
}

async function read(found: EncryptionRules, stored: Uint8Array, key: string): Promise<ReadValue> {
  const transformer = found.transformerOf(secrets);
  await transformer.prepare?.(stored, key);
  return transformer.read(stored, key);
}

const write = (found: EncryptionRules, text: string, key = '/k') =>
  found.transformerOf(secrets).write(Buffer.from(text), key);

test.each(recorded.kms)(
  'what Kubernetes wrote with $kind is read: "$text"',
  async ({ kind, key, stored, text }) => {
    const { found } = await rules();
    const { value, stale } = await read(found, Buffer.from(stored, 'base64'), key);
    expect(Buffer.from(value).toString()).toBe(text);
    // Servers before 1.29 wrote keys without a seed.
    expect(stale).toBe(kind === 'a key');
  },
);

test('values are bound to their keys, have upstream’s prefix and length, and are unique', async () => {
  const { found } = await rules();
  const [one, two] = [write(found, 'hello'), write(found, 'hello')].map((bytes) => Buffer.from(bytes));
  expect(one).not.toEqual(two);
  const upstreams =
    recorded.kms.find(({ kind, text }) => kind === 'a seed' && text === 'hello')?.stored ?? '';
  expect(one?.length).toBe(Buffer.from(upstreams, 'base64').length);
  expect(one?.toString('latin1').startsWith('k8s:enc:kms:v2:vault:\n')).toBe(true);
  expect(Buffer.from((await read(found, one ?? Buffer.of(), '/k')).value).toString()).toBe('hello');
  await expect(read(found, one ?? Buffer.of(), '/other')).rejects.toThrow(
    'cipher: message authentication failed',
  );
});

test('calls the plugin once per data key', async () => {
  const { found } = await rules();
  const values = [write(found, 'a'), write(found, 'b')];
  const { found: other } = await rules();
  const before = plugin.calls('Decrypt');
  await Promise.all(values.map((stored) => read(other, stored, '/k')));
  await read(other, values[0] ?? Buffer.of(), '/k');
  expect(plugin.calls('Decrypt') - before).toBe(1);
});

test('after a key rotation, old values are stale and new ones use a new data key', async () => {
  let nowMs = Date.now();
  const { found } = await rules({ nowMs: () => nowMs });
  const old = write(found, 'hello');
  expect((await read(found, old, '/k')).stale).toBe(false);
  plugin.set({ current: 'k2' });
  onTestFinished(() => plugin.set({ current: 'k1', annotations }));
  nowMs += limits.kmsHealthyMs;
  await found.services.check();
  expect((await read(found, old, '/k')).stale).toBe(true);
  expect((await read(found, write(found, 'new'), '/k')).stale).toBe(false);
});

test('with a failing plugin, writes work for three minutes, reads always, and health reports the error', async () => {
  let nowMs = Date.parse('2026-01-01T00:00:00Z');
  const { found, troubles } = await rules({ nowMs: () => nowMs });
  const stored = write(found, 'hello');
  await found.services.check();
  plugin.set({ current: 'k1', healthz: 'the HSM is away' });
  onTestFinished(() => plugin.set({ current: 'k1', annotations }));
  nowMs += limits.kmsHealthyMs - 1;
  await found.services.check();

  plugin.set({ current: 'k1', healthz: 'the HSM is away', status: '' });
  nowMs += 1;
  const fault =
    'kms-provider-0: kmsv2 Provider vault is not healthy, error: [got unexpected healthz status: the HSM is away, got invalid KMSv2 KeyID hash "": keyID is empty]';
  await expect(found.services.check()).rejects.toThrow(fault);
  expect(troubles).toEqual([`Error: ${fault.slice('kms-provider-0: '.length)}`]);
  nowMs = Date.parse('2026-01-01T00:03:00Z');
  write(found, 'hello');
  nowMs += 1_000;
  expect(() => write(found, 'hello')).toThrow(
    /^encryptedDEKSource with keyID hash "sha256:[0-9a-f]{64}" expired at 2026-01-01T00:03:00Z \(current time is 2026-01-01T00:03:01Z\)$/,
  );
  expect(Buffer.from((await read(found, stored, '/k')).value).toString()).toBe('hello');

  plugin.set({ current: 'k1' });
  nowMs += limits.kmsUnhealthyMs;
  await found.services.check();
  write(found, 'hello');
});

test('reports a status with another key than the encrypting one, and changes nothing', async () => {
  let nowMs = Date.now();
  const { found } = await rules({ nowMs: () => nowMs });
  plugin.set({ current: 'k1', status: 'k2' });
  onTestFinished(() => plugin.set({ current: 'k1', annotations }));
  nowMs += limits.kmsHealthyMs;
  await expect(found.services.check()).rejects.toThrow(
    /failed to rotate DEK uid="[-0-9a-f]{36}", useSeed=true, errState=<nil>, errGen=<nil>, statusKeyIDHash="sha256:/,
  );
  write(found, 'hello');
});

test.each([
  [{ current: 'k1', version: 'v3' }, 'expected KMSv2 API version v2, got v3'],
  [
    { current: 'k1', annotations: { short: 'x' } },
    'should be a domain with at least two segments separated by dots',
  ],
  [
    { current: 'k1', annotations: { 'a.b': 'x'.repeat(32 * 1024) } },
    'total size of annotations is 32771, which exceeds the max size of 32768',
  ],
  [
    { current: 'k'.repeat(2_000), keys: { ['k'.repeat(2_000)]: Buffer.alloc(32).toString('base64') } },
    'keyID is 2000 bytes, which exceeds the max size of 1024',
  ],
])('a plugin that breaks the rules is refused: %#', async (state, text) => {
  plugin.set(state);
  onTestFinished(() => plugin.set({ current: 'k1', annotations }));
  const { found } = await rules();
  await expect(found.services.check()).rejects.toThrow(text);
});

test('reports a key that the plugin lost, and values that no plugin wrote', async () => {
  const { found } = await rules();
  const stored = write(found, 'hello');
  plugin.set({ current: 'k2', keys: { k2: Buffer.alloc(32).toString('base64') } });
  onTestFinished(() => plugin.set({ current: 'k1', annotations }));
  const { found: other } = await rules();
  await expect(read(other, stored, '/k')).rejects.toThrow(
    'failed to decrypt DEK, error: rpc error: code = NotFound desc = no key k1',
  );
  const prefix = 'k8s:enc:kms:v2:vault:';
  await expect(read(other, Buffer.from(`${prefix}\xff\xff`, 'latin1'), '/k')).rejects.toThrow(
    'proto: cannot parse invalid wire-format data',
  );
  await expect(read(other, Buffer.from(prefix), '/k')).rejects.toThrow('encrypted data is empty');
});

test('a plugin that starts later: until then reads and writes fail', async () => {
  const late = new KmsPlugin();
  onTestFinished(() => late[Symbol.asyncDispose]());
  let nowMs = Date.now();
  const kms = { apiVersion: 'v2', name: 'late', endpoint: late.endpoint, timeout: '300ms' };
  const { found, troubles } = await rules({ nowMs: () => nowMs, providers: [{ kms }] });
  const why =
    /^got unexpected nil transformer: failed to perform status section of the healthz check for KMS Provider late, error: rpc error: code = DeadlineExceeded desc = /;
  expect(() => write(found, 'x')).toThrow(why);
  expect(troubles).toHaveLength(1);
  await late.start();
  await vi.waitFor(() => {
    nowMs += limits.kmsUnhealthyMs;
    return found.services.check();
  }, 10_000);
  write(found, 'x');
});

/** The samples of a text without those of histogram buckets and sums, whose values are durations. */
const samplesOf = (text: string) =>
  text.split('\n').filter((line) => line !== '' && !/^#|_bucket\{|_sum\{/.test(line));

test('metrics count calls, key IDs and data keys, with the names and labels of upstream', async () => {
  const { found, kmsMetrics } = await rules({ nowMs: () => 5_000 });
  const stored = write(found, 'hello');
  await read(found, stored, '/k');
  await read(found, stored, '/k');
  plugin.set({ current: 'k1', status: '' });
  onTestFinished(() => plugin.set({ current: 'k1', annotations }));
  const { found: other, kmsMetrics: otherMetrics } = await rules();
  await expect(read(other, stored, '/k')).rejects.toThrow();
  const name = 'apiserver_envelope_encryption_';
  const key = `provider_name="vault",key_id_hash="${keyIdHash('k1')}",apiserver_id_hash=""`;
  const call = (method: string) =>
    `${name}kms_operations_latency_seconds_count{provider_name="vault",method_name="/v2.KeyManagementService/${method}",grpc_status_code="OK"} 1`;
  expect(samplesOf(await kmsMetrics.metrics())).toEqual([
    call('Status'),
    call('Encrypt'),
    `${name}key_id_hash_total{transformation_type="to_storage",${key}} 1`,
    `${name}key_id_hash_total{transformation_type="from_storage",${key}} 2`,
    `${name}key_id_hash_last_timestamp_seconds{transformation_type="to_storage",${key}} 5`,
    `${name}key_id_hash_last_timestamp_seconds{transformation_type="from_storage",${key}} 5`,
    `${name}key_id_hash_status_last_timestamp_seconds{${key}} 5`,
    `${name}dek_source_cache_size{provider_name="vault"} 1`,
  ]);
  expect(samplesOf(await otherMetrics.metrics())).toEqual([
    call('Status'),
    `${name}invalid_key_id_from_status_total{provider_name="vault",error="empty"} 1`,
  ]);
});

test('metrics name the code of a call that fails, and keep the key IDs used last', async () => {
  const metrics = new KmsMetrics({ now: () => 0 });
  expect(await metrics.metrics()).toBe('');
  const provider = metrics.of('vault');
  provider.called('/v2.KeyManagementService/Decrypt', { seconds: 0.0002, code: 'NotFound' });
  for (let index = 0; index < 150; index += 1) provider.used('from_storage', `key-${index}`);
  const text = await metrics.metrics();
  expect(text).toContain(
    'le="0.0002",provider_name="vault",method_name="/v2.KeyManagementService/Decrypt",grpc_status_code="NotFound"} 1',
  );
  expect(text.match(/key_id_hash_total\{/g)).toHaveLength(100);
  expect(text).not.toContain(keyIdHash('key-49'));
  expect(text).toContain(keyIdHash('key-50'));
});
