import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { threadWorkMs } from './thread-work-ms.ts';

test('work counts, and waiting does not', async () => {
  const workMs = threadWorkMs();
  const before = workMs();
  for (let n = 0; workMs() - before < 20; n += 1) Math.sqrt(n);
  const worked = workMs();
  await sleep(200);
  expect(workMs() - worked).toBeLessThan(150);
});
