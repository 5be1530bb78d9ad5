import { reservedWords } from '../../cel/index.ts';

const escapes: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

/**
 * The name that a property has in expressions: `my-field` is `my__dash__field`, `in` is `__in__`. Undefined where it
 * has none: `1st` and `a b` cannot be reached.
 *
 * Source: https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#validation-rules
 */
export function escapeName(property: string): string | undefined {
  if (reservedWords.has(property)) return `__${property}__`;
  if (!/^[A-Za-z_./-][\w./-]*$/.test(property)) return undefined;
  return property.replace(/__|[-./]/g, (found) => escapes[found] ?? found);
}
