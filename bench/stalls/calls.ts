import { Agent, request } from 'node:https';
import { adminTls } from '../http/served.ts';

/** A request that a case makes. */
export interface Call {
  readonly method?: string;
  readonly path: string;
  readonly body?: string;
  readonly type?: string;
  readonly accept?: string;
  /** What is not this is an error: a case that is refused by accident measures nothing. */
  readonly status?: number;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Makes requests of one server as the administrator. */
export type Caller = (call: Call) => Promise<Answer>;

export function callerOf(dataDir: string, port: number): Caller {
  const agent = new Agent({ keepAlive: true });
  const tls = adminTls(dataDir);
  return (call) =>
    new Promise((resolve, reject) => {
      const { method = 'GET', path, body, type = 'application/json', accept = 'application/json' } = call;
      const headers = { accept, ...(body === undefined ? {} : { 'content-type': type }) };
      const options = { host: '127.0.0.1', port, path, method, headers, agent, ...tls };
      const sent = request(options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const status = response.statusCode ?? 0;
          const text = Buffer.concat(chunks).toString();
          const expected = call.status === undefined ? status < 300 : status === call.status;
          if (expected) resolve({ status, text });
          else reject(new Error(`${method} ${path}: ${status} ${text.slice(0, 300)}`));
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });
}
