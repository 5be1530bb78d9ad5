import type { SelectableField } from '../../crd/index.ts';
import { nameOf } from '../../meta/index.ts';

/** A second name for `metadata.name`: upstream calls it a bug that it needs to support for backward compatibility. */
export const nameField: SelectableField = Object.freeze({
  fieldPath: 'name',
  read: nameOf,
  description: 'Set to the value of the metadata.name field',
});
