import { DecryptionError, type ReadValue, type Transformer } from './transformer.ts';

/** A transformer, and the prefix of its values. */
export interface PrefixedTransformer {
  readonly prefix: Buffer;
  readonly transformer: Transformer;
}

/**
 * Writes with the first transformer, and reads with each one whose prefix matches, until one succeeds. Several may
 * share a prefix, with different keys. Source: apiserver, storage/value/transformer.go.
 *
 * @param otherwise the error if no prefix matches
 */
export function prefixed(
  transformers: readonly [PrefixedTransformer, ...PrefixedTransformer[]],
  otherwise: string,
): Transformer {
  const [first] = transformers;
  return {
    prepare(stored, key) {
      // Transformers with the same prefix never need preparation: KMS plugins have unique names.
      for (const { prefix, transformer } of transformers) {
        if (transformer.prepare === undefined || !prefix.equals(stored.subarray(0, prefix.length))) continue;
        return transformer.prepare(stored.subarray(prefix.length), key);
      }
      return undefined;
    },
    write: (value, key) => {
      const stored = first.transformer.write(value, key);
      return first.prefix.length === 0 ? stored : Buffer.concat([first.prefix, stored]);
    },
    read(stored, key) {
      const errors = new Set<string>();
      for (const [index, { prefix, transformer }] of transformers.entries()) {
        if (!prefix.equals(stored.subarray(0, prefix.length))) continue;
        const content = prefix.length === 0 ? stored : stored.subarray(prefix.length);
        const result = tryRead(transformer, content, key);
        if (!(result instanceof DecryptionError))
          return { value: result.value, stale: result.stale || index !== 0 };
        // Plaintext values come first while encryption is being disabled: a later provider reads the others.
        if (prefix.length > 0) errors.add(result.message);
      }
      throw new DecryptionError(errors.size === 0 ? otherwise : aggregated([...errors]));
    },
  };
}

function tryRead(transformer: Transformer, stored: Uint8Array, key: string): ReadValue | DecryptionError {
  try {
    return transformer.read(stored, key);
  } catch (error) {
    if (error instanceof DecryptionError) return error;
    throw error;
  }
}

const aggregated = (errors: readonly string[]) =>
  errors.length === 1 ? (errors[0] ?? '') : `[${errors.join(', ')}]`;
