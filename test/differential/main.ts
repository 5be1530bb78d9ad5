import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { startServer } from '../../src/server.ts';
import { type Chapter, chapterOf } from './chapter.ts';
import { differenceReason } from './differences.ts';
import { play, type Send, stepsOf } from './play.ts';
import { inProcess, remote } from './servers.ts';

/** The recorded answers of a chapter; null where upstream does not always answer the same. */
interface Recorded {
  readonly seed: number;
  /** Of the requests: recorded answers are of use as long as the same requests are made. */
  readonly requests: string;
  readonly answers: readonly (string | null)[];
}

/** A request that is answered otherwise than upstream does. */
interface Mismatch {
  readonly seed: number;
  readonly index: number;
  readonly expected: string;
  readonly found: string;
  /** Why it may be; undefined where it may not. */
  readonly reason: string | undefined;
}

/** The recording that tests use. */
export const recordingFile = new URL('answers.jsonl.br', import.meta.url);

export function readRecording(file: string | URL): Recorded[] {
  const lines = brotliDecompressSync(readFileSync(file)).toString().trim().split('\n');
  return lines.map((line) => JSON.parse(line));
}

function writeRecording(file: string | URL, chapters: readonly Recorded[]): void {
  const text = chapters.map((chapter) => `${JSON.stringify(chapter)}\n`).join('');
  const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_QUALITY]: 9 };
  writeFileSync(file, brotliCompressSync(text, { params }));
}

/** A hash of all requests of a chapter. */
export function requestsHash(chapter: Chapter): string {
  return createHash('sha256').update(JSON.stringify(chapter)).digest('hex').slice(0, 16);
}

/** Plays a chapter and compares the answers with those recorded. */
export async function compareChapter({ seed, answers }: Recorded, send: Send): Promise<Mismatch[]> {
  const chapter = chapterOf(seed);
  const found = await play(chapter, send);
  const steps = stepsOf(chapter);
  return found.flatMap((answer, index) => {
    const expected = answers[index];
    const step = steps[index];
    if (expected === null || expected === answer || step === undefined) return [];
    const reason = differenceReason(`${seed}/${index}`, step, {
      upstream: expected ?? 'nothing',
      ilk: answer,
    });
    return [{ seed, index, expected: expected ?? 'nothing', found: answer, reason }];
  });
}

/** Asks a reference server for the answers of seeds, each twice: what differs then is left out. */
async function record(send: Send, seeds: readonly number[], file: string | URL): Promise<void> {
  const chapters: Recorded[] = [];
  let [count, unsteady] = [0, 0];
  for (const seed of seeds) {
    const chapter = chapterOf(seed);
    const answers = await play(chapter, send);
    const again = await play(chapter, send);
    const kept = answers.map((answer, index) => (answer === again[index] ? answer : null));
    count += kept.length;
    unsteady += kept.filter((answer) => answer === null).length;
    chapters.push({ seed, requests: requestsHash(chapter), answers: kept });
  }
  writeRecording(file, chapters);
  console.log(`${count} answers of ${seeds.length} CRDs recorded, ${unsteady} of them unsteady`);
}

async function compare(send: Send, chapters: readonly Recorded[], shown: number): Promise<boolean> {
  let [count, reasoned] = [0, 0];
  const open: Mismatch[] = [];
  for (const chapter of chapters) {
    count += chapter.answers.length;
    for (const mismatch of await compareChapter(chapter, send)) {
      if (mismatch.reason === undefined) open.push(mismatch);
      else reasoned += 1;
    }
  }
  for (const mismatch of open.slice(0, shown)) console.log(describeMismatch(mismatch));
  console.log(
    `${count} requests compared: ${open.length} answers differ, ${reasoned} differ for a known reason`,
  );
  return open.length === 0;
}

/** A mismatch for people, with the first place where the answers part. */
export function describeMismatch({ seed, index, expected, found }: Mismatch): string {
  const step = stepsOf(chapterOf(seed))[index];
  let at = 0;
  while (at < expected.length && expected[at] === found[at]) at += 1;
  const part = (text: string) => text.slice(Math.max(0, at - 120), at + 400);
  const request = `${step?.method} ${step?.path} ${step?.type ?? ''} ${(step?.body ?? '').slice(0, 700)}`;
  return `\n${seed}/${index} ${step?.what}: ${request}\n  upstream: ${part(expected)}\n  Ilk:      ${part(found)}`;
}

function range(text: string): number[] {
  const [from = 1, to = from] = text.split('-').map(Number);
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

const usage = `npm run differential                      compares with the recorded answers
npm run differential -- --show 50         shows so many differences
npm run differential -- --seeds 0-60 --reference URL --cert FILE --key FILE [--record]
                                          compares with, or records, a kube-apiserver or apiextensions-apiserver`;

/** The command line. */
export async function run(args: readonly string[]): Promise<number> {
  const option = (name: string) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
  if (args.includes('--help')) {
    console.log(usage);
    return 0;
  }
  const reference = option('--reference');
  const seeds = option('--seeds');
  const file =
    option('--file') ??
    new URL(option('--recording') ?? 'answers.jsonl.br', `file://${process.cwd()}/test/differential/`);
  if (reference !== undefined) {
    await record(remote(reference, option('--cert'), option('--key')), range(seeds ?? '1-10'), file);
    if (args.includes('--record')) return 0;
  }
  const server = await startServer({ listen: false, disableControllers: ['garbage-collector'] });
  const wanted = seeds === undefined ? undefined : new Set(range(seeds));
  const chapters = readRecording(file).filter(({ seed }) => wanted === undefined || wanted.has(seed));
  const same = await compare(inProcess(server), chapters, Number(option('--show') ?? 20));
  await server.close();
  return same ? 0 : 1;
}
