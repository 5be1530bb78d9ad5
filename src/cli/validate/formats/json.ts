import { encodeJsonPretty } from '../../../codec/index.ts';
import { type Checked, type Finding, summarize } from '../checked.ts';
import type { FormatOptions } from './format.ts';

/** `{summary, resources: [{file, line, apiVersion, kind, ..., status, errors, warnings, object}]}` */
export function json(all: readonly Checked[], { verbose, summary }: FormatOptions): string {
  const shown = verbose ? all : all.filter(({ errors, warnings }) => errors.length + warnings.length > 0);
  const resources = shown.map(({ verdict, errors, warnings, object, ...rest }) => ({
    ...rest,
    status: verdict,
    errors: errors.map(plain),
    warnings: warnings.map(plain),
    ...(object === undefined || !verbose ? {} : { object }),
  }));
  return encodeJsonPretty({ resources, ...(summary ? { summary: summarize(all) } : {}) }).toString();
}

function plain({ field, line, message }: Finding) {
  return { field, line, message };
}
