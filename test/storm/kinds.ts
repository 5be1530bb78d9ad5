import type { JsonObject } from '../../src/meta/index.ts';

/** Gives numbers below a bound. */
export type Random = (below: number) => number;

export const group = 'storm.example.com';

/** What may change about a CRD while it is in use. */
export interface CrdShape {
  readonly extra: boolean;
  readonly maximum: number;
  readonly columns: number;
  readonly shortNames: readonly string[];
  /** Which versions are served besides v1, and which one is stored. */
  readonly versions: 'v1' | 'v1 and v2' | 'v1 and v2, stored in v2';
  readonly status: boolean;
}

export function randomShape(plural: string, random: Random): CrdShape {
  const versions = ['v1', 'v1 and v2', 'v1 and v2, stored in v2'] as const;
  return {
    extra: random(2) === 0,
    maximum: 1_000_000 + random(10),
    columns: random(3),
    shortNames: random(2) === 0 ? [] : [`${plural[0]}${random(3)}`],
    versions: versions[random(3)] ?? 'v1',
    status: random(2) === 0,
  };
}

function versionOf(name: string, storage: boolean, shape: CrdShape): JsonObject {
  const extra = shape.extra ? { extra: { type: 'string', default: 'set' } } : {};
  const spec: JsonObject = {
    type: 'object',
    properties: { id: { type: 'string' }, count: { type: 'integer', maximum: shape.maximum }, ...extra },
  };
  const columns = Array.from({ length: shape.columns }, (_, index) => ({
    name: `C${index}`,
    type: 'string',
    jsonPath: '.spec.id',
  }));
  return {
    name,
    served: true,
    storage,
    schema: { openAPIV3Schema: { type: 'object', properties: { spec, status: { type: 'object' } } } },
    ...(columns.length === 0 ? {} : { additionalPrinterColumns: columns }),
    ...(shape.status ? { subresources: { status: {} } } : {}),
  };
}

/** The spec of a CRD in some shape. A version that was ever stored stays. */
export function crdSpec(plural: string, shape: CrdShape, keepV2: boolean): JsonObject {
  const kind = kindOf(plural);
  const storesV2 = shape.versions === 'v1 and v2, stored in v2';
  const versions = [versionOf('v1', !storesV2, shape)];
  if (shape.versions !== 'v1') versions.push(versionOf('v2', storesV2, shape));
  else if (keepV2) versions.push({ ...versionOf('v2', false, shape), served: false });
  const names = { plural, singular: kind.toLowerCase(), kind, shortNames: [...shape.shortNames] };
  return { group, scope: 'Namespaced', names, versions };
}

/** `things` are Things. */
export function kindOf(plural: string): string {
  return plural.charAt(0).toUpperCase() + plural.slice(1, -1);
}

export function crdName(plural: string): string {
  return `${plural}.${group}`;
}
