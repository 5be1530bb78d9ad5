import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';

interface Question {
  readonly method?: string;
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends one request over a connection of its own. */
export function ask(
  { port, pki }: { readonly port: number; readonly pki: string },
  { method = 'GET', path, body, headers = {} }: Question,
): Promise<{ readonly status: number; readonly body: Buffer }> {
  const file = (name: string) => readFileSync(join(pki, name));
  const tls = { cert: file('admin.crt'), key: file('admin.key'), rejectUnauthorized: false, agent: false };
  return new Promise((resolve, reject) => {
    const sent = { 'content-type': 'application/json', ...headers };
    const asking = request({ host: '127.0.0.1', port, method, path, headers: sent, ...tls }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks) }));
    });
    asking.on('error', reject).end(body);
  });
}
