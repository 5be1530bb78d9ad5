import { encodeJsonPretty } from '../../../codec/index.ts';
import type { JsonObject } from '../../../meta/index.ts';
import { type CheckResult, type Finding, summarize } from '../../../offline/index.ts';
import type { FormatOptions } from './format.ts';

/** `{summary, resources: [{file, line, apiVersion, kind, ..., status, errors, warnings, object}]}` */
export function json(all: readonly CheckResult[], options: FormatOptions): string {
  return encodeJsonPretty(report(all, options)).toString();
}

/** The contents of JSON and YAML reports. */
export function report(all: readonly CheckResult[], { verbose, summary }: FormatOptions): JsonObject {
  const shown = verbose ? all : all.filter(({ errors, warnings }) => errors.length + warnings.length > 0);
  const resources = shown.map(({ verdict, errors, warnings, object, ...rest }) => ({
    ...rest,
    status: verdict,
    errors: errors.map(plain),
    warnings: warnings.map(plain),
    ...(object === undefined || !verbose ? {} : { object }),
  }));
  return { resources, ...(summary ? { summary: { ...summarize(all) } } : {}) };
}

function plain({ field, line, message }: Finding) {
  return { field, line, message };
}
