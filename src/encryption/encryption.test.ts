import { describe, expect, test } from 'vitest';
import { DecryptionError, type ReadValue } from './transformer.ts';
import { type EncryptionRules, parseResource } from './encryption-rules.ts';
import { EncryptionConfigurationError, readEncryptionConfiguration } from './index.ts';
import recorded from './go-cases.json' with { type: 'json' };

const configurations: readonly { name: string; yaml: string; error?: string }[] = recorded.configurations;

function rulesOf(name: string): EncryptionRules {
  const found = configurations.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no configuration ${name}`);
  return readEncryptionConfiguration(found.yaml);
}

function errorOf(yaml: string): string | undefined {
  try {
    readEncryptionConfiguration(yaml);
    return undefined;
  } catch (error) {
    if (error instanceof EncryptionConfigurationError) return error.message;
    throw error;
  }
}

interface Stored {
  readonly configuration: string;
  readonly resource: string;
  readonly key: string;
  readonly stored: string;
  readonly text?: string;
  readonly stale?: boolean;
  readonly error?: string;
}
const writes: readonly Stored[] = recorded.writes;
const reads: readonly Stored[] = recorded.reads;

const transformerOf = ({ configuration, resource }: Stored) =>
  rulesOf(configuration).transformerOf(parseResource(resource));

function read(stored: Stored): { text: string; stale: boolean } | { error: string } {
  let result: ReadValue;
  try {
    result = transformerOf(stored).read(Buffer.from(stored.stored, 'base64'), stored.key);
  } catch (error) {
    if (error instanceof DecryptionError) return { error: error.message };
    throw error;
  }
  return { text: Buffer.from(result.value).toString(), stale: result.stale };
}

describe('configurations', () => {
  test.each(configurations)('$name: accepted, or refused with upstream’s message', ({ yaml, error }) => {
    expect(errorOf(yaml)).toBe(error);
  });

  test('refuses another kind and invalid YAML', () => {
    expect(errorOf('kind: EncryptionConfig\napiVersion: v1')).toBe(
      'error while parsing file: want kind EncryptionConfiguration of apiserver.config.k8s.io/v1, got EncryptionConfig of v1',
    );
    expect(errorOf('a: [')).toMatch(/^error while parsing file: /);
    expect(errorOf('')).toMatch(/got no kind of no apiVersion$/);
  });
});

describe('values written by Kubernetes', () => {
  test.each(writes)('$configuration, $resource, reads "$text"', (stored) => {
    expect(read(stored)).toEqual({ text: stored.text ?? '', stale: false });
  });

  test.each(writes)(
    '$configuration, $resource, "$text": is written with the same prefix and length',
    (stored) => {
      const bytes = Buffer.from(stored.stored, 'base64');
      const ours = Buffer.from(transformerOf(stored).write(Buffer.from(stored.text ?? ''), stored.key));
      const prefix = /^(k8s:enc:\w+:v1:\w+:)?/.exec(bytes.toString('latin1'))?.[0] ?? '';
      expect(ours.length).toBe(bytes.length);
      expect(ours.toString('latin1').startsWith(prefix)).toBe(true);
      expect(read({ ...stored, stored: ours.toString('base64') })).toEqual({
        text: stored.text ?? '',
        stale: false,
      });
    },
  );
});

test.each(reads)('$configuration reads "$stored" of $key like Kubernetes', (stored) => {
  const { text = '', stale = false, error } = stored;
  expect(read(stored)).toEqual(error === undefined ? { text, stale } : { error });
});
