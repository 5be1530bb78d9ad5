import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Whether axe finds nothing to say about the page as it is, by WCAG 2.2 AA and its best practices. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(source);
  const violations = await page.evaluate<Violation[]>('axe.run().then(({ violations }) => violations)');
  expect(
    violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
    ),
  ).toEqual([]);
}
