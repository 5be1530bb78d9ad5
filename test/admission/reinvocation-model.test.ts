import { afterAll, beforeAll, expect, test } from 'vitest';
import { Widgets } from './widgets.test-support.ts';
import { randomFrom } from '../../src/cache/random.test-support.ts';

/** A policy that appends its letter to the color, where the color is shorter than its limit. */
interface Appender {
  readonly name: string;
  readonly limit: number;
  readonly isReinvoked: boolean;
}

/** What Kubernetes does, in a few lines: a second round for those that want it, where anything was mutated. */
function modelColor(appenders: readonly Appender[]): string {
  let color = '';
  const asked = (one: Appender) => color.length < one.limit;
  const due = new Set<Appender>();
  let invoked = new Set<Appender>();
  for (const one of appenders) {
    if (!asked(one)) continue;
    color += one.name;
    for (const earlier of invoked) due.add(earlier);
    invoked = new Set(one.isReinvoked ? [one] : []);
  }
  // A round that mutated anything asks for the last one, too.
  for (const last of invoked) due.add(last);
  for (const one of appenders) if (due.has(one) && asked(one)) color += one.name;
  return color;
}

let widgets: Widgets;
beforeAll(async () => {
  widgets = await Widgets.start();
});
afterAll(() => widgets[Symbol.asyncDispose]());

const root = '/apis/admissionregistration.k8s.io/v1';
const rule = {
  operations: ['CREATE'],
  apiGroups: ['example.com'],
  apiVersions: ['v1'],
  resources: ['widgets'],
};

async function bind({ name, limit, isReinvoked }: Appender): Promise<void> {
  const before = 'has(object.spec.color) ? object.spec.color : ""';
  const expression = `[JSONPatch{op: "add", path: "/spec/color", value: (${before}) + "${name}"}]`;
  const spec = {
    matchConstraints: { resourceRules: [rule] },
    matchConditions: [{ name: 'short', expression: `size(${before}) < ${limit}` }],
    reinvocationPolicy: isReinvoked ? 'IfNeeded' : 'Never',
    mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression } }],
  };
  const made = await widgets.call('POST', `${root}/mutatingadmissionpolicies`, { metadata: { name }, spec });
  if (made.code !== 201) throw new Error(made.body.message);
  const binding = { metadata: { name }, spec: { policyName: name } };
  await widgets.call('POST', `${root}/mutatingadmissionpolicybindings`, binding);
}

test('policies are asked in the order and as often as the model says', async () => {
  const { below: random } = randomFrom(20);
  const reinvoked: string[] = [];
  for (let setup = 0; setup < 40; setup += 1) {
    const names = ['a', 'b', 'c', 'd', 'e'].slice(0, 1 + random(5));
    const appenders = names.map((name) => ({ name, limit: random(8), isReinvoked: random(2) === 0 }));
    // Made in any order, and asked by their names.
    for (const one of [...appenders].sort(() => random(3) - 1)) await bind(one);
    const { body } = await widgets.create('x', {}, '?dryRun=All');
    const expected = modelColor(appenders);
    expect([JSON.stringify(appenders), body.spec.color ?? '']).toEqual([JSON.stringify(appenders), expected]);
    if (expected.length > new Set(expected).size) reinvoked.push(expected);
    await widgets.call('DELETE', `${root}/mutatingadmissionpolicies`);
    await widgets.call('DELETE', `${root}/mutatingadmissionpolicybindings`);
  }
  expect(reinvoked.length).toBeGreaterThan(5);
});
