import { InvalidArgumentError } from 'commander';
import { type FeatureGates, parseFeatureGates } from '../../meta/index.ts';

/** A list after a comma or in several flags. */
export function words(text: string, previous: readonly string[]): string[] {
  return [...previous, ...text.split(',').filter((word) => word !== '')];
}

/** `A=true,B=false` @throws {InvalidArgumentError} for a gate that is not known, with those that are */
export function featureGates(text: string): FeatureGates {
  try {
    return parseFeatureGates(text);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}
