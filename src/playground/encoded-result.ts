import { encodeJson } from '../codec/index.ts';
import type { FeatureGates, JsonObject } from '../meta/index.ts';
import type { PlaygroundCase } from './playground-case.ts';
import { runCase } from './run-case.ts';

/** Runs a case; the result is JSON. */
export async function encodedResult(
  one: PlaygroundCase,
  gates: FeatureGates | undefined,
): Promise<Uint8Array> {
  const result = await runCase(one, gates);
  // Parsed JSON, or numbers and strings.
  const value = { kind: 'PlaygroundResult', apiVersion: 'ilk/v1', ...result } as unknown as JsonObject;
  return encodeJson(value);
}
