import { encodeYaml } from '../../../codec/index.ts';
import type { Checked } from '../checked.ts';
import type { FormatOptions } from './format.ts';
import { report } from './json.ts';

/** As JSON has it, in YAML. */
export function yaml(all: readonly Checked[], options: FormatOptions): string {
  return encodeYaml(report(all, options)).toString();
}
