import { expect, test } from 'vitest';
import { fooCrd } from '../example.test-data.ts';
import { caBundleProblem, hasUsableCaBundle } from './ca-bundle.ts';

// Valid certificates, and upstream's messages for invalid ones, are in go-cases.json.

const base64 = (text: string) => Buffer.from(text).toString('base64');
const webhook = (caBundle: string) =>
  fooCrd({
    conversion: {
      strategy: 'Webhook',
      webhook: { clientConfig: { url: 'https://a', caBundle: base64(caBundle) } },
    },
  });

test('no certificates are fine, text that holds none is not', () => {
  expect(hasUsableCaBundle(fooCrd())).toBe(true);
  expect(hasUsableCaBundle(webhook(''))).toBe(true);
  expect(hasUsableCaBundle(webhook('abc'))).toBe(false);
});

test('blocks that never end are no blocks', () => {
  const begins = '-----BEGIN CERTIFICATE-----\n'.repeat(100_000);
  expect(caBundleProblem(base64(begins))).toBe(
    'unable to load root certificates: unable to parse bytes as PEM block',
  );
});
