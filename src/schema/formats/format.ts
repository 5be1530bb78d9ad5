import type { FeatureGateName } from '../../meta/index.ts';

/** A supported value of the `format` keyword. */
export interface Format {
  /** The documented spelling; for strings, look-ups ignore dashes, as upstream. */
  readonly name: string;
  /** Its type. A string format also applies without a type, and to int-or-string. */
  readonly type: 'string' | 'integer' | 'number';
  /** Validates strings; formats of numbers are ranges, see `number-rules.ts`. */
  readonly accepts?: (text: string) => boolean;
  /** The gate that enables the format. */
  readonly gate?: FeatureGateName;
}
