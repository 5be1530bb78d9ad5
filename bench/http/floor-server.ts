import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/**
 * The floors: what `node:https` and `node:http2` do with the same bytes and nothing else.
 *
 * `get <file>` answers every request with the file, `get-h2 <file>` does so over HTTP/2; `create <database>` parses the body and group-commits its bytes
 * as a row through the bare SQLite driver.
 */
const [, , mode = '', pki = '', path = ''] = process.argv;
const tls = {
  cert: readFileSync(`${pki}/server.crt`),
  key: readFileSync(`${pki}/server.key`),
  ca: readFileSync(`${pki}/ca.crt`),
  requestCert: true,
  rejectUnauthorized: false,
};

async function openDatabase() {
  const [major = 0] = process.versions.node.split('.').map(Number);
  const name = major >= 22 ? 'node:sqlite' : '@photostructure/sqlite';
  const { DatabaseSync } = (await import(name)) as typeof import('node:sqlite');
  const database = new DatabaseSync(path);
  database.exec(
    'PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE rows (id INTEGER PRIMARY KEY, value BLOB)',
  );
  return database;
}

async function groupCommitter(): Promise<(value: Buffer) => Promise<void>> {
  const database = await openDatabase();
  const insert = database.prepare('INSERT INTO rows (value) VALUES (?)');
  let waiting: { value: Buffer; resolve: () => void }[] = [];
  const flush = () => {
    const batch = waiting;
    waiting = [];
    database.exec('BEGIN');
    for (const { value } of batch) insert.run(value);
    database.exec('COMMIT');
    for (const { resolve } of batch) resolve();
  };
  return (value) =>
    new Promise((resolve) => {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ value, resolve });
    });
}

const bytes = mode.startsWith('get') ? readFileSync(path) : Buffer.alloc(0);
const commit = mode === 'create' ? await groupCommitter() : async () => {};
const head = { 'content-type': 'application/json', 'cache-control': 'no-cache, private' };

const http1 = () =>
  createServer(tls, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      let answer = bytes;
      if (mode === 'create') {
        const object = JSON.parse(Buffer.concat(chunks).toString());
        object.metadata.uid = randomUUID();
        answer = Buffer.from(JSON.stringify(object));
        await commit(answer);
      }
      response.writeHead(mode === 'create' ? 201 : 200, { ...head, 'content-length': answer.length });
      response.end(answer);
    });
  });

const http2 = () =>
  createSecureServer(tls).on('stream', (stream) => {
    stream.respond({ ':status': 200, ...head, 'content-length': bytes.length });
    stream.end(bytes);
  });

const server = mode === 'get-h2' ? http2() : http1();
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening ${(server.address() as AddressInfo).port}\n`);
});
