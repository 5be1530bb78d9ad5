import type { CheckResult } from '../../../offline/index.ts';
import type { Paint } from '../../paint.ts';
import { github } from './github.ts';
import { json } from './json.ts';
import { junit } from './junit.ts';
import { tap } from './tap.ts';
import { text } from './text.ts';
import { yaml } from './yaml.ts';

/** The verbosity. */
export interface FormatOptions {
  /** Includes valid and skipped objects. */
  readonly verbose: boolean;
  /** Adds the counts at the end. */
  readonly summary: boolean;
  readonly paint: Paint;
}

/** Formats a report. */
type Format = (all: readonly CheckResult[], options: FormatOptions) => string;

/** All formats; a new one is a file and a line here. */
export const formats: ReadonlyMap<string, Format> = new Map([
  ['text', text],
  ['json', json],
  ['yaml', yaml],
  ['github', github],
  ['junit', junit],
  ['tap', tap],
]);
