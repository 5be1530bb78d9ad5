import { InvalidArgumentError } from 'commander';
import { type FeatureGates, parseFeatureGates } from '../../meta/index.ts';

/** A comma-separated list, or several flags. */
export function words(text: string, previous: readonly string[]): string[] {
  return [...previous, ...text.split(',').filter((word) => word !== '')];
}

/** Parses `A=true,B=false`. @throws {InvalidArgumentError} for an unknown gate, with the list of known ones */
export function featureGates(text: string): FeatureGates {
  try {
    return parseFeatureGates(text);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}
