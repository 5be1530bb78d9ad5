import { type Command, Option } from 'commander';
import { numberRules } from '../../server.ts';
import { numberFlag } from './number-flag.ts';
import { defaultSelectorOptions, type SelectorOptions } from '../../meta/index.ts';

/** The selector flags, as parsed by commander. */
export interface SelectorFlags {
  readonly selectorIndexes: boolean;
  readonly setBasedFieldSelectors: boolean;
  readonly selectableArrayPaths: boolean;
  readonly celFilters: boolean;
  readonly selectableFieldsMax: number;
}

/** Selector features beyond Kubernetes: all on unless a flag says `=false`. */
export function addSelectorFlags(command: Command): Command {
  const switches: readonly (readonly [string, string])[] = [
    ['--selector-indexes [bool]', 'use indexes for field and label selectors in lists and watches'],
    ['--set-based-field-selectors [bool]', 'accept in, notin, exists and ! in field selectors'],
    [
      '--selectable-array-paths [bool]',
      'accept array paths such as .spec.ports[*].name in selectableFields of CRDs',
    ],
    ['--cel-filters [bool]', 'accept filter=<CEL> in lists and watches'],
  ];
  for (const [flag, description] of switches) {
    command.addOption(new Option(flag, description).argParser(flagValue).default(true));
  }
  const fieldsMax = new Option(
    '--selectable-fields-max <count>',
    'maximum number of selectable fields of a version',
  );
  return command.addOption(
    fieldsMax.argParser(fieldCount).default(defaultSelectorOptions.selectableFieldsMax),
  );
}

/** The server options from the flags. */
export function selectorOptions(flags: SelectorFlags): SelectorOptions {
  return {
    indexes: flags.selectorIndexes,
    setBasedFieldSelectors: flags.setBasedFieldSelectors,
    selectableArrayPaths: flags.selectableArrayPaths,
    celFilters: flags.celFilters,
    selectableFieldsMax: flags.selectableFieldsMax,
  };
}

/** A boolean flag: alone, or with `=false`. */
function flagValue(text: string | boolean): boolean {
  return text === true || (typeof text === 'string' && text.toLowerCase() !== 'false');
}

const fieldCount = numberFlag(numberRules.fields);
