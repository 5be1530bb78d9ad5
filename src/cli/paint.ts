import type { WriteStream } from 'node:tty';
import { styleText } from 'node:util';

/** Colours for words in reports. */
export type Paint = (color: 'red' | 'yellow' | 'green', text: string) => string;

/** Leaves words as they are. */
export const plain: Paint = (_, text) => text;

/** Colours where a person reads: on a terminal, unless NO_COLOR is set (https://no-color.org); anywhere with FORCE_COLOR. */
export function paintFor(
  { isTTY }: Pick<WriteStream, 'isTTY'>,
  env: Readonly<Record<string, string | undefined>>,
): Paint {
  const forced = (env['FORCE_COLOR'] ?? '') !== '' && env['FORCE_COLOR'] !== '0';
  const wanted = isTTY && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
  return forced || wanted ? (color, text) => styleText(color, text, { validateStream: false }) : plain;
}
