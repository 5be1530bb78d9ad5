import { describe, expect, test } from 'vitest';
import type { AdmissionRecord } from './admission-record.ts';
import { writeOf } from './attributes.test-support.ts';
import { AdmissionChain, type AdmissionPlugin } from './chain.ts';

/** A plugin that records its name and phase; `does` may refuse or request a second round. */
function plugin(name: string, log: string[], more: Partial<AdmissionPlugin> = {}): AdmissionPlugin {
  const note = (phase: string) => async () => void log.push(`${name} ${phase}`);
  return {
    name,
    handles: () => true,
    check: note('check'),
    admit: note('admit'),
    validate: note('validate'),
    ...more,
  };
}

describe('a chain', () => {
  test('checks all before it changes anything', async () => {
    const log: string[] = [];
    const chain = new AdmissionChain([plugin('a', log), plugin('b', log)]);
    const { attributes } = writeOf();
    await chain.admit(attributes);
    await chain.validate(attributes);
    expect(log).toEqual(['a check', 'b check', 'a admit', 'b admit', 'a validate', 'b validate']);
  });

  test('asks for changes a second time, once, where a plugin wants it', async () => {
    const log: string[] = [];
    const wants = plugin('a', log, {
      admit: async ({ reinvocation }) => {
        log.push('a admit');
        reinvocation.want();
      },
    });
    await new AdmissionChain([wants, plugin('b', log)]).admit(writeOf().attributes);
    expect(log).toEqual(['a check', 'b check', 'a admit', 'b admit', 'a admit', 'b admit']);
  });

  test('skips plugins that do not handle the write, and all plugins after a refusal', async () => {
    const log: string[] = [];
    const chain = new AdmissionChain([
      plugin('a', log, { handles: () => false }),
      plugin('b', log, { check: () => Promise.reject(new Error('no')) }),
      plugin('c', log),
    ]);
    await expect(chain.admit(writeOf().attributes)).rejects.toThrow('no');
    expect(log).toEqual([]);
  });

  test('records each step and plugin', async () => {
    const records: AdmissionRecord[] = [];
    const refuses = plugin('a', [], { validate: () => Promise.reject(new Error('no')) });
    const chain = new AdmissionChain([refuses], (record) => void records.push(record));
    const { attributes } = writeOf();
    await chain.admit(attributes);
    await chain.validate(attributes).catch(() => {});
    expect(records.map(({ seconds: _, ...record }) => record)).toEqual([
      { what: 'plugin', name: 'a', phase: 'admit', operation: 'CREATE', rejected: false },
      { what: 'plugin', name: 'a', phase: 'admit', operation: 'CREATE', rejected: false },
      { what: 'step', name: '', phase: 'admit', operation: 'CREATE', rejected: false },
      { what: 'plugin', name: 'a', phase: 'validate', operation: 'CREATE', rejected: true },
      { what: 'step', name: '', phase: 'validate', operation: 'CREATE', rejected: true },
    ]);
  });

  const { attributes: scope } = writeOf();
  const bare = { name: 'a', handles: () => true };
  test.each<[AdmissionPlugin[], handles: boolean, repeatable: boolean, mutates: boolean]>([
    [[], false, true, false],
    [[bare], true, false, false],
    [[{ ...bare, isRepeatable: true }], true, true, false],
    [[{ ...bare, isRepeatable: true, admit: async () => {} }], true, true, true],
    [[{ ...bare, isRepeatable: true }, bare], true, false, false],
    [[{ ...bare, handles: () => false, admit: async () => {} }], false, true, false],
  ])('%# says what it does about a write', (plugins, handles, repeatable, mutates) => {
    const chain = new AdmissionChain(plugins);
    expect([chain.handles(scope), chain.isRepeatable(scope), chain.mutates(scope)]).toEqual([
      handles,
      repeatable,
      mutates,
    ]);
  });
});
