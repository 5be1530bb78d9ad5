import { expect, test } from 'vitest';
import { Command } from 'commander';
import { defaultSelectorOptions } from '../../meta/index.ts';
import { addSelectorFlags, type SelectorFlags, selectorOptions } from './selector-flags.ts';

function read(...args: string[]) {
  const command = addSelectorFlags(
    new Command('serve').exitOverride().configureOutput({ writeErr: () => {} }),
  );
  return selectorOptions(command.parse(args, { from: 'user' }).opts<SelectorFlags>());
}

test('everything is on', () => {
  expect(read()).toEqual(defaultSelectorOptions);
  expect(read('--cel-filters', '--selector-indexes=true')).toEqual(defaultSelectorOptions);
});

test('each can be switched off', () => {
  const off = ['selector-indexes', 'set-based-field-selectors', 'selectable-array-paths', 'cel-filters'];
  expect(read(...off.map((flag) => `--${flag}=false`), '--selectable-fields-max=20')).toEqual({
    indexes: false,
    setBasedFieldSelectors: false,
    selectableArrayPaths: false,
    celFilters: false,
    selectableFieldsMax: 20,
  });
});

test('a limit that is none', () => {
  expect(() => read('--selectable-fields-max=0')).toThrow('not a number of fields');
});
