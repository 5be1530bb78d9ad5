import {
  clone,
  type FieldPath,
  fieldErrorText,
  invalid,
  type JsonObject,
  own,
  pathText,
} from '../../meta/index.ts';
import { coerceMetadata } from '../metadata/coerce-metadata.ts';
import { MetadataTypeError } from '../metadata/metadata-type-error.ts';
import type { SchemaNode } from '../schema-node.ts';
import { childPath, itemPath } from '../validate/paths.ts';
import type { NormalizeRun } from './normalize-run.ts';

/**
 * Coerces `apiVersion`, `kind` and `metadata` of an embedded resource.
 *
 * @throws {MetadataTypeError} if one of them has the wrong type and the run does not drop it.
 */
export function coerceEmbedded(object: JsonObject, root: SchemaNode, run: NormalizeRun, depth: number): void {
  for (const key of ['apiVersion', 'kind']) {
    const value = own(object, key);
    if (value === undefined || typeof value === 'string') continue;
    if (!run.dropInvalidMetadata) {
      const path = fieldPathOf(root, run, depth)?.child(key) ?? key;
      throw new MetadataTypeError(fieldErrorText(invalid(path, value, 'must be a string')));
    }
    delete object[key];
  }
  if (Object.hasOwn(object, 'metadata')) coerceEmbeddedMetadata(object, root, run, depth);
}

function coerceEmbeddedMetadata(
  object: JsonObject,
  root: SchemaNode,
  run: NormalizeRun,
  depth: number,
): void {
  const metadata = own(object, 'metadata') ?? null;
  const unknown: string[] = [];
  // Works on a copy, because an error shows the metadata as sent.
  const coerced = { metadata: clone(metadata) };
  const base = () => fieldPathOf(root, run, depth);
  try {
    coerceMetadata(coerced, { dropInvalid: run.dropInvalidMetadata, unknownFields: unknown });
  } catch (error) {
    if (!(error instanceof MetadataTypeError)) throw error;
    const path = base()?.child('metadata') ?? 'metadata';
    throw new MetadataTypeError(fieldErrorText(invalid(path, metadata, error.message)));
  }
  object['metadata'] = coerced.metadata;
  if (unknown.length > 0) run.unknownMetadata?.push(...unknown.map((path) => `${pathText(base())}.${path}`));
}

/** The path of the value at a depth; undefined for the root. */
function fieldPathOf(root: SchemaNode, run: NormalizeRun, depth: number): FieldPath | undefined {
  let path: FieldPath | undefined;
  let node: SchemaNode | undefined = root;
  for (const step of run.steps.slice(0, depth)) {
    if (typeof step === 'number') {
      path = itemPath(path, step);
      node = node?.items;
    } else {
      path = childPath(node ?? root, path, step);
      node = node?.properties.get(step) ?? node?.additionalProperties;
    }
  }
  return path;
}
