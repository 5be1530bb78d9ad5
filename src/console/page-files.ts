import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { ConsoleRequest, ConsoleResponse } from './console-request.ts';
import { securityHeaders } from './security-headers.ts';

const gzipped = promisify(gzip);

/** A file with its headers. */
interface PageFile {
  readonly bytes: Uint8Array;
  readonly gzip: Uint8Array;
  readonly etag: string;
}

const mediaTypes: Readonly<Record<string, string>> = Object.freeze({
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
});

/** A single file name without folders, to prevent path traversal. */
const plainName = /^[A-Za-z][\w-]{0,100}\.(js|css|svg)$/;
/** The build adds a digest to file names, so that the content of a name never changes. */
const hashedName = /-[A-Z0-9]{8}\.\w+$/;

/**
 * The files of the console's build, read on first request. Every path below `/console/` that names no file is a view,
 * which the page's script routes.
 */
export class PageFiles {
  readonly #folder: URL;
  readonly #read = new Map<string, Promise<PageFile | undefined>>();

  /** @param folder with a trailing slash */
  constructor(folder: URL) {
    this.#folder = folder;
  }

  async respond(request: ConsoleRequest): Promise<ConsoleResponse> {
    if (request.method !== 'GET' && request.method !== 'HEAD') return text(405, 'method not allowed\n');
    if (request.path === '/console') return moved('/console/');
    const asset = /^\/console\/assets\/(.*)$/.exec(request.path)?.[1];
    if (asset !== undefined && !plainName.test(asset)) return text(404, 'no such file\n');
    const name = asset ?? 'index.html';
    const file = await this.#fileOf(name);
    if (file !== undefined) return fileResponse(file, name, request);
    return text(404, asset === undefined ? 'the console was not built: npm run build\n' : 'no such file\n');
  }

  /** Files are cached; missing files are looked up again. */
  #fileOf(name: string): Promise<PageFile | undefined> {
    const known = this.#read.get(name);
    if (known !== undefined) return known;
    const reading = readPageFile(new URL(name, this.#folder));
    this.#read.set(name, reading);
    void reading.then((file) => file ?? this.#read.delete(name));
    return reading;
  }
}

async function readPageFile(url: URL): Promise<PageFile | undefined> {
  try {
    const bytes = await readFile(url);
    const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;
    return { bytes, gzip: await gzipped(bytes, { level: 9 }), etag };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function fileResponse(file: PageFile, name: string, request: ConsoleRequest): ConsoleResponse {
  const headers = {
    ...securityHeaders,
    'content-type': mediaTypes[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
    'cache-control': hashedName.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag: file.etag,
    vary: 'accept-encoding',
  };
  if (request.header('if-none-match') === file.etag) return { status: 304, headers, body: noBytes };
  const packed = /\bgzip\b/.test(request.header('accept-encoding') ?? '');
  if (!packed) return { status: 200, headers, body: file.bytes };
  return { status: 200, headers: { ...headers, 'content-encoding': 'gzip' }, body: file.gzip };
}

const noBytes = new Uint8Array();

function moved(location: string): ConsoleResponse {
  return { status: 308, headers: { ...securityHeaders, location }, body: noBytes };
}

function text(status: number, message: string): ConsoleResponse {
  const headers = { ...securityHeaders, 'content-type': 'text/plain; charset=utf-8' };
  return { status, headers, body: Buffer.from(message) };
}
