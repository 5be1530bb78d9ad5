// Sends requests with Node's clients and says which had no answer. Reads one JSON document from stdin, see wire-clients.ts.
import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { connect } from 'node:http2';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

let text = '';
for await (const chunk of process.stdin) text += chunk;
const plan = JSON.parse(text);
const { port, ca, connections } = plan;
const base = `${ca ? 'https' : 'http'}://127.0.0.1:${port}`;
const authorization = 'Bearer of-a-user';
const pathOf = ({ answer, chunkedAnswer }) => `/?answer=${answer}${chunkedAnswer ? '&chunked=1' : ''}`;

/** Writes a body whole, or in pieces and without its length. */
function writeBody(stream, { body, chunkedBody }) {
  if (chunkedBody)
    for (let at = 0; at < body; at += 10_000) stream.write(Buffer.alloc(Math.min(10_000, body - at), 'b'));
  stream.end(chunkedBody ? undefined : Buffer.alloc(body, 'b'));
}

/**
 * By events: of 2,500 answers over HTTP/2, `for await` of Node 24.21 ends three to eight with ERR_STREAM_PREMATURE_CLOSE, from a
 * bare `node:http2` server as well, though all bytes and the end of the stream have come.
 */
function lengthOf(stream) {
  let length = 0;
  return new Promise((resolve, reject) => {
    stream.on('data', (chunk) => {
      length += chunk.length;
    });
    stream.once('end', () => resolve(length));
    stream.once('error', reject);
    stream.once('close', () => reject(new Error(`closed after ${length} bytes`)));
  });
}

const clients = {
  'node:http': () => {
    const agent = new (ca ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: connections });
    const request = ca ? httpsRequest : httpRequest;
    return (one) =>
      new Promise((resolve, reject) => {
        const length = one.chunkedBody ? {} : { 'content-length': one.body };
        const headers = { authorization, ...length, ...(one.close ? { connection: 'close' } : {}) };
        const to = { host: '127.0.0.1', port, path: pathOf(one), method: 'POST', ca: ca || undefined };
        const sent = request({ ...to, agent: one.close ? false : agent, headers }, (answer) => {
          lengthOf(answer).then(
            (bytes) => resolve([answer.statusCode, answer.headers['body-length'], bytes]),
            reject,
          );
        });
        sent.once('error', reject);
        writeBody(sent, one);
      });
  },
  'node:http2': () => {
    let session;
    const current = () => {
      if (session === undefined || session.closed || session.destroyed) {
        session = connect(base, { ca });
        session.on('error', () => {});
      }
      return session;
    };
    return (one) =>
      new Promise((resolve, reject) => {
        const stream = current().request({ ':method': 'POST', ':path': pathOf(one), authorization });
        stream.once('error', reject);
        stream.once('response', (head) => {
          lengthOf(stream).then((bytes) => resolve([head[':status'], head['body-length'], bytes]), reject);
        });
        writeBody(stream, one);
      });
  },
  // Undici, which Node brings as its fetch. It takes the authority from NODE_EXTRA_CA_CERTS.
  fetch: () => async (one) => {
    const body = one.chunkedBody ? ReadableStream.from(pieces(one.body)) : Buffer.alloc(one.body, 'b');
    const options = { method: 'POST', headers: { authorization }, body, duplex: 'half' };
    const answer = await fetch(base + pathOf(one), options);
    return [answer.status, answer.headers.get('body-length'), (await answer.arrayBuffer()).byteLength];
  },
};

function* pieces(length) {
  for (let at = 0; at < length; at += 10_000) yield Buffer.alloc(Math.min(10_000, length - at), 'b');
}

const send = clients[plan.client]();
const lost = [];
await Promise.all(
  Array.from({ length: connections }, async (_, lane) => {
    for (let at = lane; at < plan.cases.length; at += connections) {
      const one = plan.cases[at];
      try {
        const found = JSON.stringify(await send(one));
        if (found !== JSON.stringify([200, String(one.body), one.answer])) lost.push([one, found]);
      } catch (error) {
        lost.push([one, `${error.code ?? ''} ${error.message} ${error.cause ?? ''}`]);
      }
    }
  }),
);
process.stdout.write(JSON.stringify({ lost: lost.slice(0, 20), lostCount: lost.length }), () =>
  process.exit(),
);
