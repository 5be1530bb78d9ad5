import { type Decoded, DecodeError, decodeYamlInTurns, type YamlThread } from '../../codec/index.ts';
import { atOnce, limits, type Slices } from '../../meta/index.ts';
import type { RequestBody } from './body.ts';

interface DecodingParts {
  /** If absent, nothing pauses. */
  readonly slices?: Slices;
  /** Parses long documents; if absent, they are parsed in one piece. */
  readonly yaml?: YamlThread;
}

/** A body in YAML is decoded by the time it is read, and delays no other request meanwhile; others stay as they are. */
export async function decodedAhead(parts: DecodingParts, body: RequestBody): Promise<RequestBody> {
  if (!('bytes' in body) || body.format !== 'yaml') return body;
  return { ...body, decoded: await decodedYaml(parts, body.bytes) };
}

/**
 * Decodes YAML without delaying other requests.
 *
 * @returns a function that gives the value, or throws the DecodeError
 */
export async function decodedYaml(
  { slices, yaml }: DecodingParts,
  bytes: Uint8Array,
): Promise<() => Decoded> {
  try {
    const decoded = await decodeYamlInTurns(bytes, {
      run: slices === undefined ? atOnce : (steps) => slices.run(steps),
      elsewhere: (chars) =>
        yaml === undefined || chars < limits.yamlThreadFromChars
          ? undefined
          : (document) => yaml.parse(document),
    });
    return () => decoded;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return () => {
      throw error;
    };
  }
}
