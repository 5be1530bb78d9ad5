import { JsonPicker } from '../../codec/index.ts';
import type { SelectableField } from '../../crd/index.ts';
import { formatGroupVersion } from '../../meta/index.ts';
import type { Represented } from '../representation/represented.ts';

/** Reads selectable fields from stored bytes; undefined if the object must be decoded. */
type ReadStoredFields = (bytes: Uint8Array) => readonly string[] | undefined;

/**
 * Makes a reader that extracts the selectable fields of a version from stored bytes without decoding them. This is
 * correct for objects stored in this version if no default can fill a missing field. Undefined for a version without
 * such fields: those of built-in kinds, and lists.
 */
export function storedFieldsReader({ type, version, resource }: Represented): ReadStoredFields | undefined {
  const fields = version.selectableFields;
  if (type.isBuiltIn || resource.converter.reshapes === true || !fields.every(isPlain)) return undefined;
  const paths = [...fields.map(({ fieldPath }) => fieldPath.split('.')), ['apiVersion']];
  if (paths.some((path, at) => paths.some((other, place) => at !== place && begins(path, other))))
    return undefined;
  const picker = new JsonPicker(paths);
  const home = formatGroupVersion(type.group, version.name);
  return (stored) => {
    const texts = picker.pick(stored);
    if (texts === undefined || texts.pop() !== home) return undefined;
    const isCertain = texts.every((text, at) => text !== undefined || fields[at]?.mayDefault !== true);
    return isCertain ? texts.map((text) => text ?? '') : undefined;
  };
}

function isPlain({ fieldPath, read }: SelectableField): boolean {
  return read === undefined && !fieldPath.includes('[*]');
}

function begins(path: readonly string[], other: readonly string[]): boolean {
  return path.length <= other.length && path.every((step, at) => step === other[at]);
}
