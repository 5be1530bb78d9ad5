// What an image holds: its files, their bytes, and what a registry stores of them.
import { createReadStream, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createGzip } from 'node:zlib';
import { run } from './builder.mjs';

/**
 * Bytes of all regular files, and of their archive after gzip, which is about what a registry stores. No file is in two layers, so
 * the first is what `docker images` shows with the classic store of images.
 */
export async function measure({ call }, image, folder) {
  const id = call(['create', image]).trim();
  const tar = join(folder, 'image.tar');
  try {
    call(['export', '--output', tar, id]);
  } finally {
    call(['rm', id]);
  }
  const entries = run('tar', ['--list', '--verbose', '--numeric-owner', '-f', tar])
    .trim()
    .split('\n')
    .map((line) => {
      const [mode = '', owner = '', bytes = '', , , ...path] = line.split(/\s+/);
      return { mode, owner, bytes: Number(bytes), path: path.join(' ') };
    });
  const bytes = entries.filter(({ mode }) => mode.startsWith('-')).reduce((sum, one) => sum + one.bytes, 0);
  const compressed = await gzipBytes(tar);
  rmSync(tar);
  return { entries, bytes, compressed };
}

async function gzipBytes(file) {
  let bytes = 0;
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 }).pipe(createGzip()))
    bytes += chunk.length;
  return bytes;
}
