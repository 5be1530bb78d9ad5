import { expect, test } from 'vitest';
import { gatesAskedFor, resolveRuleText } from './gated-rule-text.ts';

const resolve = (source: string) =>
  resolveRuleText(source, (name) => (name === 'On' ? true : name === 'Off' ? false : undefined)).replace(
    / +$/,
    '',
  );

test.each([
  ["featureGates.enabled('On')", 'true'],
  ['!featureGates.enabled("Off")', '!false'],
  ["featureGates . enabled ( 'On' ) || self.a", `${'true'.padEnd(31)} || self.a`],
  ["featureGates.enabled('Other')", "featureGates.enabled('Other')"],
  ['featureGates.enabled(self.name)', 'featureGates.enabled(self.name)'],
  ["self.featureGates.enabled('On')", "self.featureGates.enabled('On')"],
  ["myfeatureGates.enabled('On')", "myfeatureGates.enabled('On')"],
  [`self == "featureGates.enabled('On')"`, `self == "featureGates.enabled('On')"`],
  [`self == 'it\\'s featureGates.enabled("On")'`, `self == 'it\\'s featureGates.enabled("On")'`],
  [`r'\\' + string(featureGates.enabled('On'))`, `r'\\' + string(${'true'.padEnd(26)})`],
  [`'''a ' featureGates.enabled("On")'''`, `'''a ' featureGates.enabled("On")'''`],
  ["true // featureGates.enabled('On')", "true // featureGates.enabled('On')"],
])('%s', (source, expected) => {
  expect(resolve(source)).toBe(expected);
});

test('what stands after it stays where it is', () => {
  const source = "featureGates.enabled('Off') && self.x";
  expect(resolveRuleText(source, () => false).indexOf('self')).toBe(source.indexOf('self'));
});

test('the gates asked for are found, outside of texts', () => {
  expect(
    gatesAskedFor(
      `featureGates.enabled('A') == featureGates.enabled("B") || "featureGates.enabled('C')" == ""`,
    ),
  ).toEqual(['A', 'B']);
});

test('a long hostile text is scanned in linear time', () => {
  const source = `featureGates.enabled('${'\\'.repeat(50_000)} ${'"'.repeat(50_001)}${"'''".repeat(10_000)}`;
  expect(resolve(source)).toBe(source);
});
