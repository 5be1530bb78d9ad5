/** The place of an annotation; all parts are optional. */
interface AnnotationPlace {
  readonly file?: string;
  readonly line?: number;
  readonly title?: string;
}

/**
 * Formats a workflow command of GitHub Actions, on one line: `::error file=a.yaml,line=3,title=Widget a::spec.size:
 * ...`.
 * Source: https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 */
export function annotation(
  level: 'error' | 'warning' | 'notice',
  message: string,
  place: AnnotationPlace,
): string {
  const properties = Object.entries(place).map(
    ([name, value]) => `${name}=${escapedProperty(String(value))}`,
  );
  const where = properties.length === 0 ? '' : ` ${properties.join(',')}`;
  return `::${level}${where}::${escaped(message)}\n`;
}

function escaped(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapedProperty(text: string): string {
  return escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
