import { unsupportedMediaTypeError } from '../meta/index.ts';
import type { BodyFormat, PatchType } from '../registry/index.ts';

const formats: ReadonlyMap<string, BodyFormat> = new Map([
  ['application/json', 'json'],
  ['application/yaml', 'yaml'],
  ['application/vnd.kubernetes.protobuf', 'protobuf'],
  ['application/cbor', 'cbor'],
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
  accepted: { readonly protobuf: boolean; readonly cbor?: boolean },
): BodyFormat {
  const type = bareType(contentType);
  if (type === '') return 'json';
  const format = formats.get(type);
  const isAccepted = (one: BodyFormat) =>
    one === 'protobuf' ? accepted.protobuf : one !== 'cbor' || accepted.cbor === true;
  if (format !== undefined && isAccepted(format)) return format;
  // Upstream names protobuf to everybody, and cannot read it where a kind has no messages: who sent it is not told that.
  const isNamed = (one: BodyFormat) => (one === 'protobuf' ? format !== 'protobuf' : isAccepted(one));
  throw unsupportedMediaTypeError([...formats].flatMap(([name, one]) => (isNamed(one) ? [name] : [])));
}

/**
 * How the body of a PATCH is to be read. There is no default.
 *
 * @throws {StatusError} 415
 */
export function patchFormat(
  contentType: string | undefined,
  accepted: { readonly types: readonly PatchType[]; readonly cbor: boolean },
): PatchFormat {
  const bare = bareType(contentType);
  if (accepted.cbor && bare === applyCbor) return { type: 'apply', isCbor: true };
  const type = patchTypes.get(bare);
  if (type !== undefined && accepted.types.includes(type)) return { type, isCbor: false };
  const names = [...patchTypes].flatMap(([name, one]) => (accepted.types.includes(one) ? [name] : []));
  throw unsupportedMediaTypeError(accepted.cbor ? [...names, applyCbor] : names);
}

const applyCbor = 'application/apply-patch+cbor';

/** How the body of a PATCH is to be read. */
interface PatchFormat {
  readonly type: PatchType;
  readonly isCbor: boolean;
}
