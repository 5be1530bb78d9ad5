import type { HttpResponse, KnownRequest, ResourcePath, Verb } from '../http/index.ts';
import { Faults } from './index.ts';

interface Asked {
  readonly verb?: Verb;
  readonly path?: Partial<ResourcePath>;
  readonly url?: string;
  readonly user?: string;
  readonly userAgent?: string;
  readonly query?: string;
  readonly signal?: AbortSignal;
}

/** A request for `default/roses` of gardens in example.com, unless set otherwise. */
export function request(asked: Asked = {}): KnownRequest {
  const { verb = 'get', user = 'alice', userAgent = 'test/1', signal } = asked;
  const garden = { group: 'example.com', version: 'v1', resource: 'gardens', namespace: 'default' };
  const path = { ...garden, name: 'roses', subresource: '', hasMore: false, watch: false, ...asked.path };
  return {
    verb: path.resource === '' ? undefined : verb,
    path,
    user: { name: user, groups: [] },
    http: {
      method: 'GET',
      path: asked.url ?? '/apis/example.com/v1/namespaces/default/gardens/roses',
      query: new URLSearchParams(asked.query ?? ''),
      header: (name) => (name === 'user-agent' ? userAgent : undefined),
      headersFrom: () => [],
      body: async () => new Uint8Array(),
      certificate: undefined,
      signal: signal ?? new AbortController().signal,
    },
  };
}

/** Faults with deterministic seeds. */
export const newFaults = () => new Faults(() => 0.5);

/** Sends a request through the faults: `200` if it passes, `409 Conflict`, `dropped`. */
export async function send(faults: Faults, asked: KnownRequest): Promise<string> {
  const through: HttpResponse = { status: 200, headers: {}, body: Buffer.from('') };
  try {
    const { status } = await faults.filter(asked, async () => through);
    return String(status);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const { status } = error as { status?: { code: number; reason: string } };
    return status === undefined ? error.message : `${status.code} ${status.reason}`;
  }
}

/** A watch through the faults: its lines, and `broken` if it does not end normally. */
export async function watchLines(faults: Faults, asked: KnownRequest, pieces: readonly string[]) {
  async function* body() {
    for (const piece of pieces) yield Buffer.from(piece);
  }
  const response = await faults.filter(asked, async () => ({ status: 200, headers: {}, body: body() }));
  let text = '';
  try {
    for await (const piece of response.body as AsyncIterable<Uint8Array>)
      text += Buffer.from(piece).toString();
  } catch (error) {
    text += error instanceof Error ? error.message : '';
  }
  return text.split('\n').filter((line) => line !== '');
}
