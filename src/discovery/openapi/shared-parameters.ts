import { compareBytes, type JsonObject } from '../../meta/index.ts';
import { metaModels } from './models/meta-v1.ts';
import { namespaceParameter, queryParameters } from './parameters.ts';
import { bodyParameter, parameterObject } from './swagger-parameter.ts';

/**
 * Parameters that stay inline: kubectl looks for `dryRun` and `fieldValidation` in the operations to detect support,
 * and does not resolve references.
 *
 * Source: kube-openapi, pkg/builder/parameters.go.
 */
const inline: ReadonlySet<string> = new Set(['dryRun', 'fieldValidation']);

const fnvOffset = 0xcbf29ce484222325n;
const fnvPrime = 0x100000001b3n;

let made: ReadonlyMap<string, string> | undefined;

/** The names of the shared parameters, by their JSON: made with the first document, as hashing takes milliseconds. */
const nameByJson = (): ReadonlyMap<string, string> => (made ??= namesByJson());

function namesByJson(): ReadonlyMap<string, string> {
  const bodies = [
    bodyParameter({ model: metaModels.deleteOptions, required: false }),
    bodyParameter({ model: metaModels.patch, required: true }),
  ];
  return new Map(
    [...Object.values(queryParameters).flat(), namespaceParameter]
      .filter(({ name }) => !inline.has(name))
      .map(parameterObject)
      .concat(bodies)
      .map((object) => JSON.stringify(object))
      .sort(compareBytes)
      .map((json) => [json, nameOf(json)]),
  );
}

/** The section `parameters`: shared parameters by name. */
export function swaggerParameters(): JsonObject {
  return Object.fromEntries([...nameByJson()].map(([json, name]) => [name, JSON.parse(json)]));
}

/** A reference to a shared parameter, or the parameter itself. */
export function parameterOrReference(object: JsonObject): JsonObject {
  const name = nameByJson().get(JSON.stringify(object));
  return name === undefined ? object : { $ref: `#/parameters/${name}` };
}

/** The name of the parameter and a hash of its content, because parameters can share a name: `pretty-tJGM1-ng`. */
function nameOf(json: string): string {
  const { name }: { readonly name: string } = JSON.parse(json);
  return `${name}-${fnv64(json)}`;
}

/** The first six bytes of FNV-1 in base64. */
function fnv64(text: string): string {
  let hash = fnvOffset;
  for (const byte of Buffer.from(text)) hash = BigInt.asUintN(64, hash * fnvPrime) ^ BigInt(byte);
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(hash);
  return bytes.subarray(0, 6).toString('base64url');
}
