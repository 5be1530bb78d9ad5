import { InvalidArgumentError, Option } from 'commander';
import { parseGoDuration } from '../../meta/index.ts';

/**
 * Parses a duration in the syntax of Go flags; returns milliseconds.
 *
 * @example parseDuration('5m0s') // 300000
 * @throws {RangeError} for an invalid duration
 */
export function parseDuration(text: string): number {
  const isDuration = text === '0' || /^(?:[0-9]+(?:\.[0-9]+)?(?:h|ms|m|s))+$/.test(text);
  const ms = isDuration ? parseGoDuration(text) : undefined;
  if (typeof ms !== 'number') throw new RangeError(`${text} is no duration: want 5m0s`);
  return Math.round(ms);
}

/** Parses the duration of a flag, in milliseconds. */
function durationFlag(text: string): number {
  try {
    return parseDuration(text);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}

/**
 * A flag that takes a duration; its value is in milliseconds.
 *
 * @example durationOption('--request-timeout <duration>', 'time limit of a request', '1m0s')
 */
export function durationOption(flags: string, description: string, byDefault: string): Option {
  return new Option(flags, description).argParser(durationFlag).default(parseDuration(byDefault), byDefault);
}
