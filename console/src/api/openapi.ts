import { KindSchema, type Schema } from './kind-schema.ts';
import { getJson } from './request.ts';

interface Document {
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

/** The schema of a kind; undefined if the server publishes none. */
export async function loadSchema(
  { group, version, kind }: { readonly group: string; readonly version: string; readonly kind: string },
  signal?: AbortSignal,
): Promise<KindSchema | undefined> {
  const index = await getJson<{ paths: Readonly<Record<string, { serverRelativeURL: string }>> }>(
    '/openapi/v3',
    { signal },
  );
  const place = index.paths[group === '' ? `api/${version}` : `apis/${group}/${version}`];
  if (place === undefined) return undefined;
  const { components } = await getJson<Document>(place.serverRelativeURL, { signal });
  const schemas = components?.schemas ?? {};
  const root = Object.values(schemas).find((schema) =>
    schema['x-kubernetes-group-version-kind']?.some(
      (one) => one.group === group && one.version === version && one.kind === kind,
    ),
  );
  return root === undefined ? undefined : new KindSchema(schemas, root);
}
