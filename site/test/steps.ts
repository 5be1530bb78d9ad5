import { type Step, stepsOf } from '../../test/console-steps.ts';

interface Block {
  readonly language: string;
  readonly text: string;
}

/**
 * The commands of a page, in order: those of `console` blocks with the answers below them, and the lines of `sh` blocks, the
 * last of which says what a `text` block that follows shows.
 */
export function stepsOfPage(markdown: string): Step[] {
  const blocks: Block[] = [...markdown.matchAll(/^```(\S*)[^\n]*\n([\s\S]*?)^```/gm)].map(
    ([, language = '', text = '']) => ({ language, text: text.replaceAll(/ *\\\n */g, ' ') }),
  );
  return blocks.flatMap(({ language, text }, index) => {
    if (language === 'console') return stepsOf(`\`\`\`console\n${text}\`\`\``);
    if (language !== 'sh') return [];
    const next = blocks[index + 1];
    return commandsOf(text, next?.language === 'text' ? next.text : '');
  });
}

/** A script with text of its own in it, or a quote over several lines, is one command. */
function commandsOf(script: string, answer: string): Step[] {
  const isOne = script.includes('<<') || /'[^'\n]*\n/.test(script);
  const commands = isOne ? [script.trimEnd()] : script.trimEnd().split('\n');
  return commands.map((command, index) => ({
    command: isOne ? command : command.replace(/ +# .*$/, ''),
    answer: index === commands.length - 1 ? answer : '',
  }));
}
