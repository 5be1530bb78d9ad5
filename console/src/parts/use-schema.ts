import { useState } from 'preact/hooks';
import { isAborted } from '../api/api-error.ts';
import type { KindSchema } from '../api/kind-schema.ts';
import { loadSchema } from '../api/openapi.ts';
import { useWhileShown } from './use-while-shown.ts';

/** The state of loading a kind's schema. */
interface SchemaState {
  readonly isLoading: boolean;
  /** Undefined if the server publishes none. */
  readonly schema?: KindSchema | undefined;
  /** The error of loading it. */
  readonly error?: unknown;
}

/** The schema of a kind from OpenAPI, or the error. Loads nothing while `kind` is undefined. */
export function useSchemaState(group: string, version: string, kind: string | undefined): SchemaState {
  const [state, setState] = useState<SchemaState>({ isLoading: true });
  useWhileShown(
    (signal) => {
      if (kind === undefined) return;
      loadSchema({ group, version, kind }, signal).then(
        (schema) => setState({ isLoading: false, schema }),
        (error: unknown) => {
          if (!isAborted(error)) setState({ isLoading: false, error });
        },
      );
    },
    [group, version, kind],
  );
  return state;
}

/**
 * The schema of a kind once it is loaded; undefined if the server publishes none. Without it there is no completion;
 * the server still validates.
 */
export function useSchema(group: string, version: string, kind: string | undefined): KindSchema | undefined {
  return useSchemaState(group, version, kind).schema;
}
