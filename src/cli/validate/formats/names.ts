import type { CheckResult, Finding } from '../../../offline/index.ts';

/** `Widget default/a` */
export function objectName({ kind, namespace, name }: CheckResult): string {
  const full = namespace === '' ? name : `${namespace}/${name}`;
  return [kind, full].filter((part) => part !== '').join(' ') || 'document';
}

/** On one line: `spec.size: Invalid value: -1: should be greater than or equal to 0` */
export function findingText({ message }: Finding): string {
  return message.replaceAll('\n', ' ');
}
