import type { PrinterColumn } from '../../crd/index.ts';
import { column } from './kind.ts';
import { containersCell, selectorText } from './workload.ts';

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
  description: 'Selects the pods.',
});
