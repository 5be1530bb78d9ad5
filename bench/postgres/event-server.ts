import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { insertBare, listenBare, makeBareTable } from './bare-events.ts';

/**
 * A floor: `node:https` in front of the bare insert and read. A write parses and inserts the body and answers it with its
 * revision; a GET gets each row that is read as a line.
 */
const [, , pki = '', connectionString = ''] = process.argv;
const tls = {
  cert: readFileSync(`${pki}/server.crt`),
  key: readFileSync(`${pki}/server.key`),
  ca: readFileSync(`${pki}/ca.crt`),
  requestCert: true,
};
const [writer, reader] = [new pg.Client({ connectionString }), new pg.Client({ connectionString })];
await writer.connect();
await reader.connect();
await makeBareTable(writer);

const watches = new Set<ServerResponse>();
await listenBare(reader, ({ revision, value }) => {
  const object = JSON.parse(value);
  object.metadata.resourceVersion = String(revision);
  const line = `${JSON.stringify({ type: 'MODIFIED', object })}\n`;
  for (const watch of watches) watch.write(line);
});

async function write(body: string, response: ServerResponse): Promise<void> {
  const object = JSON.parse(body);
  object.metadata.resourceVersion = String(await insertBare(writer, object.step ?? -1, body));
  const answer = Buffer.from(JSON.stringify(object));
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length });
  response.end(answer);
}

const server = createServer(tls, (request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    watches.add(response);
    response.once('close', () => watches.delete(response));
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => void write(Buffer.concat(chunks).toString(), response));
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening ${(server.address() as AddressInfo).port}\n`);
});
