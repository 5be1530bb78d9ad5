import type { Command, Option } from 'commander';
import { expect, test } from 'vitest';
import { program } from './program.ts';

/** `npx vitest run src/cli/cli-reference.test.ts -u` writes the page. */
const page = '../../docs/reference/cli.md';

const introduction = `# Commands and flags

Look up a flag here. A test generates this page from the commands and compares it; \`ilk COMMAND --help\`
prints the same.
`;

/** The text of a cell of a table. */
const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** The same outside of code, where `<` would begin a tag. */
const prose = (text: string) => cell(text).replaceAll('<', '&lt;');

function defaultOf({ defaultValue, defaultValueDescription }: Option): string {
  const value = defaultValueDescription ?? defaultValue;
  const isNothing = value === undefined || value === false || (Array.isArray(value) && value.length === 0);
  return isNothing || value === ''
    ? ''
    : `\`${cell(typeof value === 'string' ? value : JSON.stringify(value))}\``;
}

function row(option: Option): string {
  const choices = option.argChoices === undefined ? '' : `: ${option.argChoices.join(', ')}`;
  return `| \`${cell(option.flags)}\` | ${prose(`${option.description}${choices}`)} | ${defaultOf(option)} |`;
}

function section(command: Command, names: readonly string[]): string[] {
  const path = [...names, command.name()];
  const options = command.options.filter(({ hidden }) => !hidden);
  const words = command.registeredArguments.map((argument) => {
    const word = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${word}>` : `[${word}]`;
  });
  const usage = [...path, ...words, ...(options.length > 0 ? ['[flags]'] : [])].join(' ');
  const table = ['| flag | | default |', '|---|---|---|', ...options.map(row)].join('\n');
  const text = [`## ${path.join(' ')}`, sentence(command.description()), `\`\`\`\n${usage}\n\`\`\``];
  const own = options.length > 0 ? [...text, table] : text;
  const isGroup = command.commands.length > 0;
  return [
    ...(isGroup && options.length === 0 ? [] : own),
    ...command.commands.flatMap((one) => section(one, path)),
  ];
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`;

test('docs/reference/cli.md says what the commands say', async () => {
  const sections = program().commands.flatMap((command) => section(command, ['ilk']));
  await expect(`${[introduction.trimEnd(), ...sections].join('\n\n')}\n`).toMatchFileSnapshot(page);
});
