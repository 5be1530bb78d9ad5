import { useState } from 'preact/hooks';
import { type KindSchema, loadSchema } from '../api/openapi.ts';
import { useWhileShown } from './use-while-shown.ts';

/** The schema of a kind, once it is there; undefined where the server publishes none. */
export function useSchema(group: string, version: string, kind: string | undefined): KindSchema | undefined {
  const [schema, setSchema] = useState<KindSchema | undefined>(undefined);
  useWhileShown(
    (signal) => {
      if (kind === undefined) return;
      loadSchema({ group, version, kind }, signal).then(setSchema, () => {
        // Without it there is no completion; the server still judges what is written.
      });
    },
    [group, version, kind],
  );
  return schema;
}
