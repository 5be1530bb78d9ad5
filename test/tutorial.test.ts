import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IlkServer, startServer } from '../src/server.ts';
import { matcher, stepsOf, terminal } from './console-steps.ts';
import { kubectlMinor } from './fixtures/kubectl.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Older ones print the same answers in other words. */
const minorMin = 30;

describe.skipIf((kubectlMinor ?? 0) < minorMin)(
  `the tutorial in README.md (skipped without kubectl 1.${minorMin} on the PATH)`,
  () => {
    let server: IlkServer;
    beforeAll(async () => {
      server = await startServer({ listen: { host: '127.0.0.1', port: 0, tls: true } });
    });
    afterAll(() => server.close());

    const steps = stepsOf(readFileSync(`${root}/README.md`, 'utf8'));

    test('has steps', () => {
      expect(steps.length).toBeGreaterThan(10);
    });

    test.each(steps)('$command', async ({ command, answer }) => {
      expect(await terminal(command, { KUBECONFIG: server.kubeconfigPath })).toMatch(matcher(answer));
    });
  },
);
