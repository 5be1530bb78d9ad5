// A conversion webhook: node webhook.mjs <certificate> <key> <port>
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';

const [certificate, key, port] = process.argv.slice(2);

/** v1 says `address: "host:port"`, v2 says `host` and `port`. */
function convert(object, apiVersion) {
  const { address, host, port, ...rest } = object.spec ?? {};
  if (apiVersion === 'net.example.com/v1') {
    return { ...object, apiVersion, spec: { ...rest, address: `${host}:${port}` } };
  }
  const [, name, number] = /^(.*):(\d+)$/.exec(address) ?? [];
  if (number === undefined) throw new Error(`there is no port in ${address}`);
  return { ...object, apiVersion, spec: { ...rest, host: name, port: Number(number) } };
}

function answer({ uid, desiredAPIVersion, objects }) {
  try {
    const convertedObjects = objects.map((object) => convert(object, desiredAPIVersion));
    return { uid, result: { status: 'Success' }, convertedObjects };
  } catch (error) {
    return { uid, result: { status: 'Failure', message: error.message } };
  }
}

const server = createServer({ cert: readFileSync(certificate), key: readFileSync(key) });
server.on('request', async (request, response) => {
  let body = '';
  for await (const piece of request.setEncoding('utf8')) body += piece;
  const { apiVersion, kind, request: asked } = JSON.parse(body);
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ apiVersion, kind, response: answer(asked) }));
});
server.listen(Number(port), '127.0.0.1', () => console.log('converting'));
