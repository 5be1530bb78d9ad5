import { type JsonObject, type KubeObject, ownObject, stringList } from '../../meta/index.ts';
import type { PrinterColumn } from '../../crd/index.ts';
import { column } from '../definition/kind.ts';

const short: ReadonlyMap<string, string> = new Map([
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
]);

/** How it may be mounted, in the letters that kubectl has for that. */
export function accessModesColumn(part: (object: KubeObject) => JsonObject): PrinterColumn {
  return column('Access Modes', '', {
    read: (object) =>
      stringList(part(object)['accessModes'])
        .map((mode) => short.get(mode) ?? '')
        .join(','),
    description: 'The access modes.',
  });
}

/** How much it holds. */
export function capacityColumn(part: (object: KubeObject) => JsonObject): PrinterColumn {
  return column('Capacity', '', {
    read: (object) => String(ownObject(part(object), 'capacity')?.['storage'] ?? ''),
    description: 'The capacity.',
  });
}
