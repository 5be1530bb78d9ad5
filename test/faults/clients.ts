import { setTimeout as sleep } from 'node:timers/promises';
import { type Random, randomFrom } from '../../src/storage/suite/random.ts';
import type { IlkServer } from '../../src/server.ts';
import type { HttpsClient } from '../fixtures/ilk-process.ts';
import { WatchStream } from '../fixtures/watch-stream.ts';
import { widget, widgetsPath } from '../fixtures/widgets.ts';
import type { Read, Seen, Watching, Write } from './history.ts';

/** The body of an answer, as far as these clients look into it. */
export interface Answer {
  readonly code: number;
  readonly body: {
    readonly kind?: string;
    readonly message?: string;
    readonly metadata?: { readonly name: string; readonly resourceVersion: string };
    readonly spec?: { readonly size: number };
    readonly items?: readonly {
      readonly metadata: { name: string; resourceVersion: string };
      readonly spec: { size: number };
    }[];
  };
}

/** A way to a server. */
export interface Api {
  call(method: string, path: string, body?: unknown): Promise<Answer>;
  /** The lines of a watch, until it ends or breaks. */
  watch(
    path: string,
    signal: AbortSignal,
  ): AsyncIterable<{ readonly type: string; readonly object: Answer['body'] }>;
}

/** To a server in this process, which may be another one after a while. */
export function inProcess(server: () => IlkServer): Api {
  return {
    async call(method, path, body) {
      const init = body === undefined ? {} : { body: JSON.stringify(body), headers: jsonType };
      const response = await server().fetch(path, { method, ...init });
      const text = await response.text();
      return { code: response.status, body: text.startsWith('{') ? JSON.parse(text) : { message: text } };
    },
    async *watch(path, signal) {
      const stream = new WatchStream(await server().fetch(path));
      const close = () => void stream.close();
      signal.addEventListener('abort', close, { once: true });
      try {
        for (let line = await stream.next(); line !== undefined; line = await stream.next()) {
          // Read again as what the server promises: the class leaves open what an object has.
          yield JSON.parse(JSON.stringify(line));
        }
      } finally {
        signal.removeEventListener('abort', close);
        await stream.close();
      }
    },
  };
}

const jsonType = { 'content-type': 'application/json' };

/** To a server in a process of its own, over its socket. */
export function overHttps(client: () => HttpsClient): Api {
  return {
    async call(method, path, body) {
      const { code, body: text } = await client().call(method, path, { body });
      return { code, body: text.startsWith('{') ? JSON.parse(text) : { message: text } };
    },
    async *watch(path, signal) {
      const response = await client().open('GET', path);
      const close = () => response.destroy();
      signal.addEventListener('abort', close, { once: true });
      try {
        response.setEncoding('utf8');
        let rest = '';
        for await (const piece of response) {
          const lines = (rest + piece).split('\n');
          rest = lines.pop() ?? '';
          for (const line of lines) yield JSON.parse(line);
        }
      } finally {
        signal.removeEventListener('abort', close);
        response.destroy();
      }
    },
  };
}

/** What all clients of a run share. */
export interface Run {
  /** Ends the clients. */
  readonly signal: AbortSignal;
  readonly writes: Write[];
  readonly reads: Read[];
  readonly watchings: Watching[];
  /** Each value is written once. */
  readonly nextValue: () => number;
  /** Unexpected errors. */
  readonly surprises: string[];
}

const names = ['w-0', 'w-1', 'w-2', 'w-3', 'w-4', 'w-5'] as const;
/** One way at least. */
export type Apis = readonly [Api, ...Api[]];

/** Reads and writes objects that others read and write too, through all servers by turns, until the run ends. */
export async function writer(run: Run, apis: Apis, seed: number): Promise<void> {
  const random = randomFrom(seed);
  while (!run.signal.aborted) {
    const name = random.pick(names);
    const read = await readOne(run, random.pick(apis), name);
    if (read === undefined) await sleep(20);
    else if (!(await writeOne(run, random.pick(apis), { read, random }))) await sleep(20);
  }
}

/** Undefined where there was no answer. */
async function readOne(run: Run, api: Api, name: string): Promise<Read | undefined> {
  const startedMs = performance.now();
  const answer = await api.call('GET', `${widgetsPath()}/${name}`).catch(() => undefined);
  if (answer === undefined || (answer.code !== 200 && answer.code !== 404)) return undefined;
  const { metadata, spec } = answer.body;
  const found = answer.code === 200;
  const read = {
    name,
    startedMs,
    endedMs: performance.now(),
    revision: found ? Number(metadata?.resourceVersion) : 0,
    value: found ? spec?.size : undefined,
  };
  run.reads.push(read);
  return read;
}

/** Writes after a new read. False if the outcome is unknown. */
async function writeOne(
  run: Run,
  api: Api,
  { read, random }: { read: Read; random: Random },
): Promise<boolean> {
  const { name, revision: base } = read;
  const kind = base === 0 ? 'create' : random.below(6) === 0 ? 'delete' : 'update';
  const value = kind === 'delete' ? undefined : run.nextValue();
  const startedMs = performance.now();
  const answer = await send(api, { name, kind, base, value }).catch(() => undefined);
  const outcome = outcomeOf(answer);
  if (answer !== undefined && !knownCodes.has(answer.code)) {
    run.surprises.push(`${kind} was answered ${answer.code} ${answer.body.message}`);
  }
  const revision =
    outcome === 'ok' && kind !== 'delete' ? Number(answer?.body.metadata?.resourceVersion) : undefined;
  run.writes.push({ name, kind, base, value, startedMs, endedMs: performance.now(), outcome, revision });
  return outcome !== 'unknown' && answer?.code !== 503;
}

interface Intent extends Pick<Write, 'name' | 'kind' | 'base' | 'value'> {}

function send(api: Api, { name, kind, base, value }: Intent): Promise<Answer> {
  const path = `${widgetsPath()}/${name}`;
  const resourceVersion = String(base);
  if (kind === 'create') return api.call('POST', widgetsPath(), widget(name, { size: value ?? 0 }));
  if (kind === 'update')
    return api.call('PUT', path, widget(name, { size: value ?? 0 }, { resourceVersion }));
  return api.call('DELETE', path, {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    preconditions: { resourceVersion },
  });
}

const knownCodes: ReadonlySet<number> = new Set([200, 201, 404, 409, 429, 500, 503, 504]);

/** What etcd and PostgreSQL say when they have no room and nothing was written. */
const isFull = (message: string | undefined): boolean =>
  message !== undefined &&
  !message.includes('whether the write happened is unknown') &&
  /: (etcdserver: mvcc: database space exceeded|PostgreSQL: .*No space left.*)$/.test(message);

/** A refusal says that nothing was written, 503 and 504 too; of the 500s that of a full disk does. */
function outcomeOf(answer: Answer | undefined): Write['outcome'] {
  if (answer === undefined) return 'unknown';
  if (answer.code === 500) return isFull(answer.body.message) ? 'refused' : 'unknown';
  return answer.code < 300 ? 'ok' : 'refused';
}

/** Lists, then watches from there, and goes on at the next server when a watch ends; until everything was seen. */
export async function watcher(
  run: Run,
  apis: readonly Api[],
  finished: () => number | undefined,
): Promise<void> {
  let turn = 0;
  let watching: OpenWatching | undefined;
  for (;;) {
    const api = apis[(turn += 1) % apis.length];
    if (api === undefined) throw new Error('there is no server to watch');
    try {
      watching ??= await listAll(api);
      const end = await follow(api, { watching, finished });
      if (end === 'forgotten') {
        run.watchings.push({ ...watching, toTheEnd: false });
        watching = undefined;
      } else if (end === 'finished') {
        run.watchings.push({ ...watching, toTheEnd: true });
        return;
      }
    } catch {
      // The server is away: the next one may not be.
      await sleep(20);
    }
  }
}

interface OpenWatching extends Omit<Watching, 'toTheEnd'> {
  readonly seen: Seen[];
}

async function listAll(api: Api): Promise<OpenWatching> {
  const { code, body } = await api.call('GET', widgetsPath());
  if (code !== 200) throw new Error(`list: ${code}`);
  const listed = new Map(
    (body.items ?? []).map(({ metadata, spec }) => [
      metadata.name,
      { revision: Number(metadata.resourceVersion), value: spec.size },
    ]),
  );
  return { listedAt: Number(body.metadata?.resourceVersion), listed, seen: [] };
}

/** How long a watch lasts at the most: then another server goes on. */
const watchSeconds = 2;

async function follow(
  api: Api,
  { watching, finished }: { watching: OpenWatching; finished: () => number | undefined },
): Promise<'ended' | 'forgotten' | 'finished'> {
  const after = watching.seen.at(-1)?.revision ?? watching.listedAt;
  if (after >= (finished() ?? Number.POSITIVE_INFINITY)) return 'finished';
  const query = `watch=1&allowWatchBookmarks=true&timeoutSeconds=${watchSeconds}&resourceVersion=${after}`;
  const abort = new AbortController();
  const silence = setTimeout(() => abort.abort(), 2 * watchSeconds * 1000);
  try {
    for await (const { type, object } of api.watch(`${widgetsPath()}?${query}`, abort.signal)) {
      if (type === 'ERROR' || type === undefined) return isGone(object) ? 'forgotten' : 'ended';
      watching.seen.push(seenOf(type, object));
    }
  } finally {
    clearTimeout(silence);
  }
  return 'ended';
}

const isGone = (status: unknown): boolean => Object(status).code === 410;

function seenOf(type: string, { metadata, spec }: Answer['body']): Seen {
  if (type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED' && type !== 'BOOKMARK') {
    throw new Error(`what is a ${type}?`);
  }
  return {
    type,
    revision: Number(metadata?.resourceVersion),
    name: metadata?.name ?? '',
    value: spec?.size,
  };
}
