import { afterAll, beforeAll, expect, test } from 'vitest';
import { type IlkServer, startServer } from '../../src/server.ts';
import { chapterOf } from './chapter.ts';
import { compareChapter, describeMismatch, readRecording, recordingFile, requestsHash } from './main.ts';
import { inProcess } from './servers.ts';

// 20,000 generated requests, answered as Kubernetes' own server answered them; README.md says how that was recorded.
// Each fourth chapter is played by default, all of them with ILK_DIFFERENTIAL=all, as CI does.

const chapters = readRecording(recordingFile);
const played = chapters.filter((_, index) => process.env['ILK_DIFFERENTIAL'] === 'all' || index % 4 === 0);

let server: IlkServer;
beforeAll(async () => {
  server = await startServer({ listen: false, disableControllers: ['garbage-collector'] });
});
afterAll(() => server.close());

test('the recording has 20,000 answers to the requests that are made', () => {
  expect(chapters.flatMap(({ answers }) => answers).length).toBeGreaterThan(20_000);
  const changed = chapters.filter(({ seed, requests }) => requestsHash(chapterOf(seed)) !== requests);
  expect(changed.map(({ seed }) => seed)).toEqual([]);
});

test.each(played)('the CRD of seed $seed and its objects', async (chapter) => {
  const mismatches = await compareChapter(chapter, inProcess(server));
  expect(mismatches.filter(({ reason }) => reason === undefined).map(describeMismatch)).toEqual([]);
});
