import { decodeManagedFields, FieldsFormatError, ManagedFieldsError } from '../../apply/index.ts';
import { ensureMetadata, type JsonValue, type KubeObject, metadataOf, own, put } from '../../meta/index.ts';
import type { Warnings } from '../request/context.ts';

/**
 * Restores the managed fields from before mutating admission, if a plugin made them invalid.
 * Source: apiserver, handlers/fieldmanager/admission.go.
 */
export function keepManagedFields(object: KubeObject, before: KubeObject, warnings: Warnings): void {
  const [now, then] = [own(metadataOf(object), 'managedFields'), own(metadataOf(before), 'managedFields')];
  if (now === then) return;
  const why = mistakeOf(now);
  if (why === undefined) return;
  const metadata = ensureMetadata(object);
  if (then === undefined) delete metadata['managedFields'];
  else put(metadata, 'managedFields', then);
  warnings.add(
    '.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating ' +
      `admission controller; please fix your requests: ${why}`,
  );
}

function mistakeOf(managedFields: JsonValue | undefined): string | undefined {
  try {
    decodeManagedFields(managedFields);
    return undefined;
  } catch (error) {
    if (error instanceof ManagedFieldsError || error instanceof FieldsFormatError) return error.message;
    throw error;
  }
}
