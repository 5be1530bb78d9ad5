import { unsupportedMediaTypeError } from '../meta/index.ts';
import type { BodyFormat, PatchType } from '../registry/index.ts';

const formats: ReadonlyMap<string, BodyFormat> = new Map([
  ['application/json', 'json'],
  ['application/yaml', 'yaml'],
  ['application/vnd.kubernetes.protobuf', 'protobuf'],
]);

/** The content types of patches; the first ones are those of every resource. */
const patchTypes: ReadonlyMap<string, PatchType> = new Map([
  ['application/json-patch+json', 'json'],
  ['application/merge-patch+json', 'merge'],
  ['application/strategic-merge-patch+json', 'strategic'],
  ['application/apply-patch+yaml', 'apply'],
]);

/** `application/json; charset=utf-8` without what follows the semicolon. */
function bareType(contentType: string | undefined): string {
  return (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/**
 * The format of a request body. None named means JSON.
 *
 * @throws {StatusError} 415
 */
export function bodyFormat(
  contentType: string | undefined,
  accepted: { readonly protobuf: boolean },
): BodyFormat {
  const type = bareType(contentType);
  if (type === '') return 'json';
  const format = formats.get(type);
  if (format !== undefined && (format !== 'protobuf' || accepted.protobuf)) return format;
  const names = [...formats.keys()].filter((name) => formats.get(name) !== 'protobuf' || accepted.protobuf);
  throw unsupportedMediaTypeError(names);
}

/**
 * How the body of a PATCH is to be read. There is no default.
 *
 * @throws {StatusError} 415
 */
export function patchType(contentType: string | undefined, accepted: readonly PatchType[]): PatchType {
  const type = patchTypes.get(bareType(contentType));
  if (type !== undefined && accepted.includes(type)) return type;
  const names = [...patchTypes].filter(([, candidate]) => accepted.includes(candidate)).map(([name]) => name);
  throw unsupportedMediaTypeError(names);
}
