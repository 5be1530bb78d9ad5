import type { PrinterColumn } from '../../crd/index.ts';
import type { JsonObject, KubeObject } from '../../meta/index.ts';
import { column } from './kind.ts';
import { containersCell, count, selectorText, specOf, statusOf } from '../rules/workload.ts';

/** What `-o wide` shows of every workload. */
export const wideColumns: readonly PrinterColumn[] = [
  column('Containers', '', {
    priority: 1,
    read: (object) => containersCell(object, 'name'),
    description: 'The names of the containers in the template.',
  }),
  column('Images', '', {
    priority: 1,
    read: (object) => containersCell(object, 'image'),
    description: 'The images of the containers in the template.',
  }),
];

export const selectorColumn: PrinterColumn = column('Selector', '', {
  priority: 1,
  read: selectorText,
  description: 'The selector of the pods.',
});

/** The number of ready and of desired pods: `1/3`. */
export const readyOfWantedColumn: PrinterColumn = column('Ready', '', {
  read: (object) =>
    `${String(count(statusOf(object), 'readyReplicas'))}/${String(count(specOf(object), 'replicas'))}`,
  description: 'The number of ready and desired pods.',
});

/** A column with a number that the spec has, and 0 where it has none. */
export const specCount = countColumn(specOf);

/** A column with a number that the status has, and 0 where it has none. */
export const statusCount = countColumn(statusOf);

function countColumn(part: (object: KubeObject) => JsonObject) {
  return (name: string, field: string, description: string): PrinterColumn =>
    column(name, '', { type: 'integer', read: (object) => count(part(object), field), description });
}

/** Which pods a selector in a spec selects; `<none>` if it is empty. */
export function selectedPodsCell(selector: JsonObject | undefined): string {
  return selectorText({ spec: { selector: selector ?? {} } }) || '<none>';
}
