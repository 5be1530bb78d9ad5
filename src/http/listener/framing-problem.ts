import type { IncomingMessage } from 'node:http';
import { limits } from '../../meta/index.ts';

/** The refusal of a request that another program may read as a different one. */
interface FramingProblem {
  readonly code: 400 | 431 | 501 | 505;
  readonly text: string;
}

/** A character that neither a host nor a port contains. Source: RFC 3986, 3.2.2. */
const notInHosts = /[^!$%&'()*+,\-.0-9:;=@A-Z[\]_a-z~]/;

/**
 * Why a request that Node has parsed is refused, with the codes and texts of Go's net/http; undefined for a valid one. Node
 * uses the first of several Host headers, and accepts any HTTP version and every list of transfer codings that ends with
 * `chunked`.
 */
export function framingProblem({
  httpVersionMajor,
  headers,
  rawHeaders,
}: Pick<IncomingMessage, 'httpVersionMajor' | 'headers' | 'rawHeaders'>): FramingProblem | undefined {
  if (httpVersionMajor !== 1) return { code: 505, text: 'unsupported protocol version' };
  if (rawHeaders.length > 2 * limits.requestHeadersMax) return { code: 431, text: 'too many header lines' };
  if (hostsIn(rawHeaders) > 1) return { code: 400, text: 'too many Host headers' };
  if (notInHosts.test(headers.host ?? '')) return { code: 400, text: 'malformed Host header' };
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    return { code: 501, text: 'Unsupported transfer encoding' };
  return undefined;
}

function hostsIn(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts;
}
