import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import type { IlkServer } from '../../src/server.ts';
import type { Step } from './chapter.ts';
import type { RawAnswer } from './normalize.ts';
import type { Send } from './play.ts';

const userAgent = 'differential/1.0';

function headersOf({ type, accept = 'application/json', body }: Step): Record<string, string> {
  const headers: Record<string, string> = { 'user-agent': userAgent, accept };
  if (type !== undefined) headers['content-type'] = type;
  if (body !== undefined && type === undefined) headers['content-type'] = 'application/json';
  return headers;
}

/** A server in this process. */
export function inProcess(server: IlkServer): Send {
  return async (step) => {
    const { method, path, body } = step;
    const response = await server.fetch(path, {
      method,
      headers: headersOf(step),
      ...(body === undefined ? {} : { body }),
    });
    const warnings = (response.headers.get('warning') ?? '').split(/, (?=299 )/).filter(Boolean);
    const type = response.headers.get('content-type') ?? '';
    return { code: response.status, type, warnings, text: await response.text() };
  };
}

/** A server at a URL, with files of a client certificate and its key where it is https. */
export function remote(url: string, certificate = '', key = ''): Send {
  const base = new URL(url);
  const secure = base.protocol === 'https:';
  const credentials = secure
    ? { cert: readFileSync(certificate), key: readFileSync(key), rejectUnauthorized: false }
    : {};
  const agent = secure
    ? new https.Agent({ keepAlive: true, ...credentials })
    : new http.Agent({ keepAlive: true });
  const request = secure ? https.request : http.request;
  return (step) =>
    new Promise<RawAnswer>((resolve, reject) => {
      const { method, path, body = '' } = step;
      const headers = {
        ...headersOf(step),
        ...(step.body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
      };
      const sent = request(
        { method, host: base.hostname, port: base.port, path, agent, headers },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const warnings = response.rawHeaders.flatMap((value, index, all) =>
              index % 2 === 1 && all[index - 1]?.toLowerCase() === 'warning' ? value.split(/, (?=299 )/) : [],
            );
            const text = Buffer.concat(chunks).toString();
            resolve({
              code: response.statusCode ?? 0,
              type: response.headers['content-type'] ?? '',
              warnings,
              text,
            });
          });
        },
      );
      sent.on('error', reject);
      sent.end(step.body === undefined ? undefined : body);
    });
}
