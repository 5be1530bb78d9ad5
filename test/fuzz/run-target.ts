import { limits } from '../../src/meta/index.ts';
import { type IlkServer, startServer } from '../../src/server.ts';
import { Random } from './random.ts';
import type { FuzzAddress, FuzzRequest, FuzzTarget, Send } from './target.ts';

/** Work on one request beyond this keeps others waiting. Counted as time of the processor: a machine may be busy. */
const stallCpuMs = 1_000;
/** What may be held after a run beyond what was held before: views and windows of events have their own limits. */
const growthBytesMax = 256 * 1024 * 1024;

/** 5xx that upstream gives too. */
const upstreams: readonly RegExp[] = [
  /failed to create (typed|manager for)|failed to (create|convert|update|decode) (typed|managed)/,
  /resourceVersion should not be set on objects to be created/,
  /strconv\.Parse/,
  /unable to find api field in struct|cannot (convert|unmarshal)/,
  /Object 'apiVersion' is missing in 'object has no apiVersion field'/,
  /"reason": ?"(Timeout|ServerTimeout)"/,
];

/** Something that must not be. */
export interface Finding {
  readonly target: string;
  readonly seed: number;
  readonly case: number;
  readonly what: string;
  readonly request?: FuzzRequest;
}

interface RunOptions {
  readonly seed: number;
  readonly from: number;
  /** Runs cases from `from` up to this one. */
  readonly to: number;
  /** When to stop, on the clock of `performance.now()`. */
  readonly endMs: number;
  readonly onFinding: (finding: Finding) => void;
  /** Told after each case, so that a run can go on from there. */
  readonly onCase?: (next: number) => void;
}

export interface RunResult {
  readonly cases: number;
  readonly requests: number;
  readonly cpuMsMax: number;
  /** How many answers there were of each code. */
  readonly codes: ReadonlyMap<number, number>;
  readonly grownBytes: number;
}

/** Runs cases of a target against a server of its own, in this process. */
export async function runTarget(target: FuzzTarget, options: RunOptions): Promise<RunResult> {
  const needsSocket = target.name === 'frames';
  const troubles: unknown[] = [];
  await using server = await startServer({
    listen: needsSocket ? { host: '127.0.0.1', port: 0, tls: true } : false,
    selectors: { celFilters: true },
    onTrouble: (error) => troubles.push(error),
  });
  return await new TargetRun(target, server, { ...options, troubles }).run();
}

class TargetRun {
  readonly #target: FuzzTarget;
  readonly #server: IlkServer;
  readonly #options: RunOptions & { readonly troubles: unknown[] };
  readonly #codes = new Map<number, number>();
  #case = 0;
  #requests = 0;
  #cpuMsMax = 0;

  constructor(target: FuzzTarget, server: IlkServer, options: RunOptions & { readonly troubles: unknown[] }) {
    this.#target = target;
    this.#server = server;
    this.#options = options;
  }

  async run(): Promise<RunResult> {
    const { seed, from, to, endMs, onCase } = this.#options;
    const onCrash = (error: unknown) => this.#report(`crash: ${textOf(error)}`);
    process.on('uncaughtException', onCrash);
    process.on('unhandledRejection', onCrash);
    try {
      await this.#target.prepare(this.#send);
      const before = heapBytes();
      for (this.#case = from; this.#case < to && performance.now() < endMs; this.#case += 1) {
        await this.#runCase(new Random(seed, this.#target.name, this.#case));
        onCase?.(this.#case + 1);
      }
      const grownBytes = heapBytes() - before;
      if (grownBytes > growthBytesMax) this.#report(`growth: ${grownBytes} bytes`);
      const cases = this.#case - from;
      return { cases, requests: this.#requests, cpuMsMax: this.#cpuMsMax, codes: this.#codes, grownBytes };
    } finally {
      process.off('uncaughtException', onCrash);
      process.off('unhandledRejection', onCrash);
    }
  }

  async #runCase(random: Random): Promise<void> {
    try {
      const url = new URL(this.#server.url || 'http://127.0.0.1:0');
      await this.#target.run(random, this.#send, {
        host: url.hostname,
        port: Number(url.port),
      } satisfies FuzzAddress);
    } catch (error) {
      this.#report(`crash: ${textOf(error)}`);
    }
    for (const error of this.#options.troubles.splice(0)) {
      if (!isExpected(error)) this.#report(`trouble: ${textOf(error)}`);
    }
  }

  readonly #send: Send = async (request) => {
    const body = typeof request.body === 'string' ? Buffer.from(request.body) : request.body;
    if ((body?.length ?? 0) > limits.requestBodyBytesMax) return { code: 413, text: '' };
    const used = process.cpuUsage();
    const { code, text } = await this.#answer(request, body);
    const { user, system } = process.cpuUsage(used);
    const cpuMs = (user + system) / 1_000;
    this.#requests += 1;
    this.#cpuMsMax = Math.max(this.#cpuMsMax, cpuMs);
    this.#codes.set(code, (this.#codes.get(code) ?? 0) + 1);
    if (cpuMs > stallCpuMs) this.#report(`stall: ${Math.round(cpuMs)} ms of the processor`, request);
    if (code >= 500 && !upstreams.some((pattern) => pattern.test(text))) {
      this.#report(`${code}: ${text.slice(0, 500)}`, request);
    }
    return { code, text };
  };

  async #answer(request: FuzzRequest, body: Uint8Array | undefined): Promise<{ code: number; text: string }> {
    const stop = new AbortController();
    const headers = {
      ...(request.contentType === undefined ? {} : { 'content-type': request.contentType }),
      ...(request.accept === undefined ? {} : { accept: request.accept }),
    };
    const init = {
      method: request.method,
      headers,
      signal: stop.signal,
      ...(body === undefined ? {} : { body }),
    };
    const answer = await this.#server.fetch(request.path, init as RequestInit);
    // A watch has no end; its head is what was asked for.
    if (/[?&]watch=(1|true)/.test(request.path) && answer.status === 200) {
      stop.abort();
      await answer.body?.cancel().catch(() => {});
      return { code: answer.status, text: '' };
    }
    return { code: answer.status, text: await answer.text() };
  }

  #report(what: string, request?: FuzzRequest): void {
    const { seed, onFinding } = this.#options;
    onFinding({
      target: this.#target.name,
      seed,
      case: this.#case,
      what,
      ...(request === undefined ? {} : { request }),
    });
  }
}

/** Connections that broke the protocol are reported. */
function isExpected(error: unknown): boolean {
  return /^(\w+: )?closed \d+ connections?: /.test(textOf(error));
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function heapBytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}
