import { expect, test } from 'vitest';
import type { StoredRecord } from '../store.ts';
import type { BackupEntry } from './format.ts';
import { readBackup } from './read-backup.ts';
import { writeBackup } from './write-backup.ts';

const records: readonly StoredRecord[] = [
  { key: '/registry/a', modRevision: 2, value: Buffer.from('{"kind":"A"}') },
  { key: '/registry/ü\n"', modRevision: 3, value: new Uint8Array([0, 255, 10, 34]) },
  { key: '/registry/empty', modRevision: 4, value: new Uint8Array(0) },
];
const files = [{ path: 'pki/ca.crt', bytes: Buffer.from('-----BEGIN\n') }];

async function backupText(): Promise<string> {
  let text = '';
  const source = { revision: 7, created: '2030-01-01T00:00:00.000Z', files, records };
  await writeBackup(source, async (more) => {
    text += more;
  });
  return text;
}

/** Hands bytes out in pieces of one size. */
async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(text: string | Uint8Array, size = 1_000): Promise<BackupEntry[]> {
  const entries: BackupEntry[] = [];
  for await (const entry of readBackup(inPieces(Buffer.from(text), size))) entries.push(entry);
  return entries;
}

const refusal = (text: string | Uint8Array): Promise<string> =>
  read(text).then(
    () => '',
    (error) => error.message,
  );

test('is lines of JSON that anybody can read', async () => {
  expect(await backupText()).toBe(
    [
      '{"ilkBackup":1,"revision":7,"created":"2030-01-01T00:00:00.000Z"}',
      '{"file":"pki/ca.crt","text":"-----BEGIN\\n"}',
      '{"key":"/registry/a","revision":2,"text":"{\\"kind\\":\\"A\\"}"}',
      '{"key":"/registry/ü\\n\\"","revision":3,"base64":"AP8KIg=="}',
      '{"key":"/registry/empty","revision":4,"text":""}',
      '{"records":3,"files":1,"sha256":"82b47d0bbd300617845e7de189d08368c5bfb5f8f069851ad31fd04602cbab8f"}',
      '',
    ].join('\n'),
  );
});

test.each([1, 3, 64, 100_000])('is read back in pieces of %i bytes', async (size) => {
  const [head, file, ...rest] = await read(await backupText(), size);
  expect(head).toEqual({ head: { ilkBackup: 1, revision: 7, created: '2030-01-01T00:00:00.000Z' } });
  expect(file).toEqual({ file: files[0] });
  expect(
    rest.map((entry) => 'record' in entry && { ...entry.record, value: [...entry.record.value] }),
  ).toEqual(records.map((record) => ({ ...record, value: [...record.value] })));
});

test('is refused wherever it is cut off', async () => {
  const whole = Buffer.from(await backupText());
  for (let length = 0; length < whole.length; length += 1) {
    expect(await refusal(whole.subarray(0, length))).toMatch(
      /^the backup is (cut off: it has no last line|cut off in the middle of a line)$/,
    );
  }
});

test('is refused whichever byte has changed', async () => {
  const whole = Buffer.from(await backupText());
  for (let at = 0; at < whole.length - 1; at += 1) {
    const changed = Buffer.from(whole);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(await refusal(changed), `byte ${at}`).not.toBe('');
  }
});

test.each([
  ['', 'the backup is cut off: it has no last line'],
  ['# a letter\n', 'this is no backup of Ilk: its first line is not JSON'],
  ['{"apiVersion":"v1"}\n', 'this is no backup of Ilk'],
  ['7\n', 'the backup is damaged: line 1 is no object'],
  [
    '{"ilkBackup":2,"revision":7}\n',
    'the backup was made by a newer version of Ilk: its format is 2, this Ilk knows up to 1',
  ],
  ['{"ilkBackup":1,"revision":1e400}\n', 'the backup is damaged: its first line has no revision'],
  [
    '{"ilkBackup":1,"revision":7}\n{"key":1}\n',
    'the backup is damaged: line 2 is neither a record nor a file',
  ],
  [
    '{"ilkBackup":1,"revision":7}\n{"key":"/a","revision":8,"text":""}\n',
    'the backup is damaged: line 2 is of a later revision',
  ],
])('%j is refused', async (text, message) => {
  expect(await refusal(text)).toBe(message);
});

test('is refused with something behind its end, and with another count', async () => {
  const whole = await backupText();
  expect(await refusal(`${whole}{}\n`)).toBe(
    'the backup is damaged: there is something behind its last line',
  );
  expect(await refusal(whole.replace('"records":3', '"records":2'))).toBe(
    'the backup is damaged: it has 3 records and 1 files, and should have 2 records and 1 files',
  );
});
