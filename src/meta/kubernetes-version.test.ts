import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { kubernetesVersion, minCompatibilityVersion } from './kubernetes-version.ts';

const { minor, patch } = kubernetesVersion;

test.each(['tools/record/go.mod', 'bench/cel-go/go.mod'])('%s pins the modules of that release', (file) => {
  const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  const pins = [
    ...text.matchAll(/^\s*(k8s\.io\/(?:api|apiextensions-apiserver|apimachinery|apiserver)) (\S+)/gm),
  ];
  expect(pins.length).toBeGreaterThan(2);
  for (const [, module, version] of pins) expect([module, version]).toEqual([module, `v0.${minor}.${patch}`]);
});

test('new rules are checked in the release before', () => {
  expect(minCompatibilityVersion).toEqual({ major: 1, minor: minor - 1 });
});
