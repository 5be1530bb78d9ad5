// Asks a server on this machine whether it is ready. Arguments: the file of its authority, its port. Exits with 1 where it is not.
import { readFileSync } from 'node:fs';
import { get } from 'node:https';

const [caFile, port] = process.argv.slice(2);
const request = get(
  { host: '127.0.0.1', port, path: '/readyz', ca: readFileSync(caFile), timeout: 4_000 },
  (response) => {
    response.resume();
    response.on('end', () => process.exit(response.statusCode === 200 ? 0 : 1));
  },
);
request.on('timeout', () => request.destroy(new Error('no answer in time')));
request.on('error', (error) => {
  console.error(error.message);
  process.exit(1);
});
