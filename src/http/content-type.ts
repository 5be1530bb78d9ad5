import { unsupportedMediaTypeError } from '../meta/index.ts';
import type { BodyFormat, PatchType } from '../registry/index.ts';

const formats: ReadonlyMap<string, BodyFormat> = new Map([
  ['application/json', 'json'],
  ['application/yaml', 'yaml'],
  ['application/vnd.kubernetes.protobuf', 'protobuf'],
  ['application/cbor', 'cbor'],
]);

/** The content types of patches; the first ones are supported by every resource. */
const patchTypes: ReadonlyMap<string, PatchType> = new Map([
  ['application/json-patch+json', 'json'],
  ['application/merge-patch+json', 'merge'],
  ['application/strategic-merge-patch+json', 'strategic'],
  ['application/apply-patch+yaml', 'apply'],
]);

/** `application/json; charset=utf-8` without the parameters. */
function bareType(contentType: string | undefined): string {
  return (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/**
 * The format of a request body; JSON by default.
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
  // Upstream lists protobuf as supported for every kind, even without messages; it is omitted for a client that sent
  // protobuf.
  const isNamed = (one: BodyFormat) => (one === 'protobuf' ? format !== 'protobuf' : isAccepted(one));
  throw unsupportedMediaTypeError([...formats].flatMap(([name, one]) => (isNamed(one) ? [name] : [])));
}

/**
 * The type of a PATCH body. There is no default.
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

/** The type of a PATCH body. */
interface PatchFormat {
  readonly type: PatchType;
  readonly isCbor: boolean;
}
