import type { Status } from '../meta/index.ts';
import type { LoadedObject } from '../manifests/index.ts';
import type { Finding } from './check-result.ts';

type Lines = Pick<LoadedObject, 'line' | 'lineAt'>;

/** The causes of a refusal, each with its line. */
export function refusalFindings({ message = '', details }: Status, lines: Lines): Finding[] {
  const causes = details?.causes?.filter(({ field }) => field !== undefined && field !== '') ?? [];
  if (causes.length === 0) return textFindings(message, lines);
  return causes.map(({ field = '', message: text = '' }) => ({
    message: `${field}: ${text}`,
    field,
    line: lines.lineAt(fieldSteps(field)),
  }));
}

const namedField = /(?:unknown|duplicate) field "((?:[^"\\]|\\.)+)"/g;

/** A message of the server, split into one per field that a strict decoder names. */
export function textFindings(text: string, lines: Lines): Finding[] {
  const named = [...text.matchAll(namedField)].map(([message, field = '']) => ({
    message,
    field,
    line: lines.lineAt(fieldSteps(field)),
  }));
  return named.length > 0 ? named : [{ message: text, field: '', line: lines.line }];
}

const repeatedKey = /^line (\d+): (.*)$/s;

/** Duplicate keys. */
export function duplicateFindings({ duplicates, line }: LoadedObject): Finding[] {
  return duplicates.map((text) => {
    const [, at, message = text] = repeatedKey.exec(text) ?? [];
    return { message, field: '', line: at === undefined ? line : Number(at) };
  });
}

/** `spec.items[0].labels[a.b/c]` as `spec`, `items`, `0`, `labels`, `a.b/c`. */
export function fieldSteps(field: string): string[] {
  return [...field.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)].map(
    ([, inBrackets, plain]) => inBrackets ?? plain ?? '',
  );
}
