import type { Result } from '../values/value.ts';
import { sizeThroughOptionals as size } from './actual-size.ts';
import { regexFactor, stringFactor } from './constants.ts';

type Actual = (args: readonly Result[]) => number;

const at = (args: readonly Result[], index: number): number => size(args[index] ?? null);
const scan =
  (index: number): Actual =>
  (args) =>
    Math.ceil(at(args, index) * stringFactor);
const compare: Actual = (args) => Math.ceil(Math.min(at(args, 0), at(args, 1)) * stringFactor);
const join: Actual = (args) => Math.ceil((at(args, 0) + at(args, 1)) * stringFactor);
const match: Actual = (args) =>
  Math.ceil((1 + at(args, 0)) * stringFactor) * Math.ceil(at(args, 1) * regexFactor);
const search: Actual = (args) =>
  Math.ceil(at(args, 0) * stringFactor) * Math.ceil(at(args, 1) * stringFactor);

/** The run-time costs of standard functions, by overload; the default is 1. */
export const standardActualCosts: ReadonlyMap<string, Actual> = new Map([
  ['starts_with_string', scan(1)],
  ['ends_with_string', scan(1)],
  ['string_to_bytes', scan(0)],
  ['bytes_to_string', scan(0)],
  ['strings_quote', scan(0)],
  ['string_format', scan(0)],
  ['in_list', (args: readonly Result[]) => at(args, 1)],
  ['equals', compare],
  ['not_equals', compare],
  ...['less', 'less_equals', 'greater', 'greater_equals'].flatMap((order): [string, Actual][] => [
    [`${order}_string`, compare],
    [`${order}_bytes`, compare],
  ]),
  ['add_string', join],
  ['add_bytes', join],
  ['matches', match],
  ['matches_string', match],
  ['contains_string', search],
]);
