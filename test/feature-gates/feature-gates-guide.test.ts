import { readFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IlkServer, startServer } from '../../src/server.ts';
import { matcher, stepsOf, terminal } from '../console-steps.ts';
import { buildIfMissing } from '../fixtures/ilk-process.ts';
import { kubectlMinor } from '../fixtures/kubectl.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const PATH = `${root}bin${delimiter}${process.env['PATH'] ?? ''}`;
/** Older ones print the same answers in other words. */
const minorMin = 30;

describe.skipIf((kubectlMinor ?? 0) < minorMin)(
  `the guide in docs/feature-gates.md (skipped without kubectl 1.${minorMin} on the PATH)`,
  () => {
    let server: IlkServer;
    beforeAll(async () => {
      buildIfMissing();
      server = await startServer({ listen: { host: '127.0.0.1', port: 0, tls: true } });
    });
    afterAll(() => server.close());

    const steps = stepsOf(readFileSync(`${root}docs/feature-gates.md`, 'utf8'));

    test('has steps', () => {
      expect(steps.length).toBeGreaterThan(20);
    });

    test.each(steps)('$command', async ({ command, answer }) => {
      const KUBECONFIG = server.kubeconfigPath;
      expect(await terminal(command, { KUBECONFIG, PATH })).toMatch(matcher(answer));
    });
  },
);
