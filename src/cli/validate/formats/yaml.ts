import { encodeYaml } from '../../../codec/index.ts';
import type { CheckResult } from '../../../offline/index.ts';
import type { FormatOptions } from './format.ts';
import { report } from './json.ts';

/** The JSON report as YAML. */
export function yaml(all: readonly CheckResult[], options: FormatOptions): string {
  return encodeYaml(report(all, options)).toString();
}
