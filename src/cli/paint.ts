import type { WriteStream } from 'node:tty';
import { styleText } from 'node:util';

/** Colours words in reports. */
export type Paint = (color: 'red' | 'yellow' | 'green', text: string) => string;

/** Returns words unchanged. */
export const plain: Paint = (_, text) => text;

/** Uses colours on a terminal unless NO_COLOR is set (https://no-color.org), and always with FORCE_COLOR. */
export function paintFor(
  { isTTY }: Pick<WriteStream, 'isTTY'>,
  env: Readonly<Record<string, string | undefined>>,
): Paint {
  const forced = (env['FORCE_COLOR'] ?? '') !== '' && env['FORCE_COLOR'] !== '0';
  const wanted = isTTY && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
  return forced || wanted ? (color, text) => styleText(color, text, { validateStream: false }) : plain;
}
