import type { FeatureGateName } from '../../meta/index.ts';

/** A value of the `format` keyword that means something. */
export interface Format {
  /** As the documentation writes it; for strings a lookup ignores dashes, as upstream's does. */
  readonly name: string;
  /** The type it belongs to. A string format also applies where no type, or int-or-string, is declared. */
  readonly type: 'string' | 'integer' | 'number';
  /** Decides for strings; formats of numbers are ranges, see `number-rules.ts`. */
  readonly accepts?: (text: string) => boolean;
  /** The gate without which the format is not recognized. */
  readonly gate?: FeatureGateName;
}
