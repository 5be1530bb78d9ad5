import { reservedWords } from '../../cel/index.ts';

const escapes: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

/**
 * The escaped name of a property in expressions: `my-field` becomes `my__dash__field`, `in` becomes `__in__`. Undefined
 * if there is none: `1st` and `a b` are inaccessible.
 *
 * Source: https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#validation-rules
 */
export function escapeName(property: string): string | undefined {
  if (reservedWords.has(property)) return `__${property}__`;
  if (!/^[A-Za-z_./-][\w./-]*$/.test(property)) return undefined;
  return property.replace(/__|[-./]/g, (found) => escapes[found] ?? found);
}
