import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A request: how long its body and its answer are, and how they are sent. */
interface WireCase {
  readonly body: number;
  readonly answer: number;
  /** Without a length before it. */
  readonly chunkedBody: boolean;
  readonly chunkedAnswer: boolean;
  /** On a connection of its own. */
  readonly close: boolean;
}

/** What a client does with a server. */
interface WirePlan {
  readonly port: number;
  /** The authority of the server, as PEM; empty for a plain port. */
  readonly ca: string;
  readonly connections: number;
  readonly cases: readonly WireCase[];
}

/** What came of it: requests without the right answer, the first of them with what came instead. */
interface WireResult {
  readonly lostCount: number;
  readonly lost: readonly unknown[];
}

/** A third-party client in a process of its own. */
interface WireClient {
  readonly name: string;
  readonly over: 'HTTP/1.1' | 'HTTP/2';
  /** Undefined where this machine does not have it. */
  run(plan: WirePlan): Promise<WireResult | undefined>;
}

/** Beside this file, or in the folder given to the bundle of the large form. */
const folder = process.env['ILK_WIRE_CLIENTS'] ?? fileURLToPath(new URL('clients/', import.meta.url));

/** Runs a command with a document as its input; gives the document that it prints. */
function talk(command: string, args: readonly string[], input: object, env: object = {}): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, ...env },
    });
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
    });
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve(JSON.parse(out)) : reject(new Error(`${command} ended with ${code}: ${out}`)),
    );
    child.stdin.end(JSON.stringify(input));
  });
}

const has = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;

function pythonClient(client: string): WireClient {
  return {
    name: `Python ${client}`,
    over: 'HTTP/1.1',
    async run(plan) {
      if (!has('python3', '--version')) return undefined;
      const result = await talk('python3', [join(folder, 'client.py')], { client, ...plan });
      return 'missing' in (result as object) ? undefined : (result as WireResult);
    },
  };
}

function nodeClient(client: string, over: WireClient['over']): WireClient {
  return {
    name: `Node's ${client}`,
    over,
    run: (plan) =>
      inFolder(async (path) => {
        const ca = join(path, 'ca.pem');
        writeFileSync(ca, plan.ca);
        const env = plan.ca === '' ? {} : { NODE_EXTRA_CA_CERTS: ca };
        return (await talk(
          process.execPath,
          [join(folder, 'client.mjs')],
          { client, ...plan },
          env,
        )) as WireResult;
      }),
  };
}

let goBinary: Promise<string | undefined> | undefined;

/** Built once for a process; undefined where Go is not. */
function buildGoClient(): Promise<string | undefined> {
  goBinary ??= new Promise((resolve, reject) => {
    if (!has('go', 'version')) return resolve(undefined);
    const path = mkdtempSync(join(tmpdir(), 'ilk-wire-go-'));
    process.once('exit', () => rmSync(path, { recursive: true, force: true }));
    const binary = join(path, 'client');
    const build = spawn('go', ['build', '-o', binary, '.'], { cwd: join(folder, 'go'), stdio: 'inherit' });
    build.once('close', (code) => (code === 0 ? resolve(binary) : reject(new Error('go build failed'))));
  });
  return goBinary;
}

function goClient(client: string, over: WireClient['over']): WireClient {
  return {
    name: `Go's ${client}`,
    over,
    async run(plan) {
      const binary = await buildGoClient();
      return binary === undefined ? undefined : ((await talk(binary, [], { client, ...plan })) as WireResult);
    },
  };
}

function curlClient(over: WireClient['over']): WireClient {
  return {
    name: `curl ${over}`,
    over,
    run: (plan) =>
      has('curl', '--version') ? inFolder((path) => runCurl(path, over, plan)) : Promise.resolve(undefined),
  };
}

/**
 * All requests in one process, so that its connection is kept. Over HTTP/2, curl 7.88 gives up one request in 2,000
 * before it sends it (exit code 16), with a bare `node:http2` server as well: those are sent once more.
 */
async function runCurl(path: string, over: WireClient['over'], plan: WirePlan): Promise<WireResult> {
  const found = await curlOnce(path, over, plan);
  const unsent = plan.cases.filter((_, index) => found[index] === unsentLine);
  const again = unsent.length === 0 ? [] : await curlOnce(path, over, { ...plan, cases: unsent });
  const answers = found.map((line) => (line === unsentLine ? again.shift() : line));
  const lost = plan.cases.flatMap((one, index) =>
    answers[index]?.startsWith(`200 ${one.answer} ${one.body} 0 `) ? [] : [[one, answers[index]]],
  );
  return { lostCount: lost.length, lost: lost.slice(0, 20) };
}

/** No answer, given up by curl itself, and not a byte of the body uploaded. */
const unsentLine = '000 0  16 0';

/** What curl says of each request: code, lengths of the answer and of the body as read by the server, exit code, bytes sent (chunks with their frames). */
async function curlOnce(path: string, over: WireClient['over'], plan: WirePlan): Promise<string[]> {
  writeFileSync(join(path, 'ca.pem'), plan.ca);
  for (const { body } of plan.cases) writeFileSync(join(path, `body-${body}`), Buffer.alloc(body, 'b'));
  const config = plan.cases.map((one) => curlConfig(path, over, { one, plan })).join('next\n');
  writeFileSync(join(path, 'config'), config);
  const lines = await new Promise<string>((resolve, reject) => {
    const child = spawn('curl', ['-s', '-K', join(path, 'config')], { stdio: ['ignore', 'pipe', 'inherit'] });
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
    });
    child.once('error', reject);
    child.once('close', () => resolve(out));
  });
  return lines.split('\n');
}

function curlConfig(
  path: string,
  over: WireClient['over'],
  { one, plan }: { readonly one: WireCase; readonly plan: WirePlan },
): string {
  const scheme = plan.ca === '' ? 'http' : 'https';
  const query = `answer=${one.answer}${one.chunkedAnswer ? '&chunked=1' : ''}`;
  const options = [
    `url = "${scheme}://127.0.0.1:${plan.port}/?${query}"`,
    `cacert = "${join(path, 'ca.pem')}"`,
    over === 'HTTP/2' ? 'http2' : 'http1.1',
    'request = "POST"',
    'silent',
    'max-time = 60',
    'header = "authorization: Bearer of-a-user"',
    'header = "expect:"',
    `data-binary = "@${join(path, `body-${one.body}`)}"`,
    `output = "${join(path, 'answer')}"`,
    'write-out = "%{http_code} %{size_download} %header{body-length} %{exitcode} %{size_upload}\\n"',
    ...(one.chunkedBody && over === 'HTTP/1.1' ? ['header = "transfer-encoding: chunked"'] : []),
    ...(one.close && over === 'HTTP/1.1' ? ['header = "connection: close"'] : []),
  ];
  return `${options.join('\n')}\n`;
}

async function inFolder<T>(work: (path: string) => Promise<T>): Promise<T> {
  const path = mkdtempSync(join(tmpdir(), 'ilk-wire-'));
  try {
    return await work(path);
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
}

/** All of them, those over HTTP/1.1 first. */
export const wireClients: readonly WireClient[] = [
  pythonClient('http.client'),
  pythonClient('urllib3'),
  curlClient('HTTP/1.1'),
  goClient('net/http', 'HTTP/1.1'),
  nodeClient('node:http', 'HTTP/1.1'),
  nodeClient('fetch', 'HTTP/1.1'),
  curlClient('HTTP/2'),
  goClient('net/http HTTP/2', 'HTTP/2'),
  nodeClient('node:http2', 'HTTP/2'),
];

/** Sizes around those at which buffers, records, frames and windows end. */
const wireSizes: readonly number[] = [
  0, 1, 1_000, 5_000, 16_000, 16_383, 16_384, 16_385, 17_000, 20_000, 32_768, 49_152, 65_535, 65_536, 65_537,
  70_000, 131_072, 131_073, 200_000, 1_000_000, 3_000_000,
];

/** So many requests with sizes in turn, each kind among them; the large ones are fewer. */
export function wireCases(count: number): WireCase[] {
  const large = 200_000;
  const small = wireSizes.filter((size) => size < large);
  return Array.from({ length: count }, (_, index) => {
    const sizes = index % 25 === 24 ? wireSizes : small;
    const at = (step: number) => sizes[Math.floor(index / step) % sizes.length] ?? 0;
    return {
      // The same size both ways is what an API server is asked for: an object comes back as it was sent.
      body: at(1),
      answer: index % 3 === 0 ? at(1) : at(7),
      chunkedBody: index % 5 === 1,
      chunkedAnswer: index % 7 === 2,
      close: index % 50 === 49,
    };
  });
}
