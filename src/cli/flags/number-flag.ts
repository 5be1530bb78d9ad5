import { InvalidArgumentError } from 'commander';
import type { NumberRule } from '../../server.ts';

/** Parses the number of a flag by its rule. */
export function numberFlag({ min, max, reason }: NumberRule): (text: string) => number {
  return (text) => {
    const value = Number(text);
    const fits = text.trim() !== '' && Number.isSafeInteger(value) && value >= min && value <= max;
    if (!fits) throw new InvalidArgumentError(reason);
    return value;
  };
}
