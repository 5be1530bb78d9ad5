import type { Kind } from '../api/kinds.ts';
import type { ResourceRef } from '../api/paths.ts';

/** What a window follows, as encoded in the address. */
export interface WindowQuery {
  /** `widgets.v1.example.com`; `configmaps.v1.` of the core group. */
  readonly kind: string;
  readonly namespace: string;
  readonly labels: string;
  readonly fields: string;
}

/** Each one is a connection, of which a browser opens six over HTTP/1.1. */
export const windowsMax = 4;

export function kindText({ plural, version, group }: ResourceRef): string {
  return `${plural}.${version}.${group}`;
}

/** The windows of an address; undefined where it has none, or none that can be read. */
export function windowsIn(text: string): readonly WindowQuery[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!Array.isArray(value)) return undefined;
    return value.slice(0, windowsMax).map(windowOf);
  } catch {
    return undefined;
  }
}

function windowOf(value: unknown): WindowQuery {
  const parts = new Map(Object.entries(typeof value === 'object' && value !== null ? value : {}));
  const text = (name: string) => {
    const part: unknown = parts.get(name);
    return typeof part === 'string' ? part : '';
  };
  return { kind: text('kind'), namespace: text('namespace'), labels: text('labels'), fields: text('fields') };
}

/** Kinds that can be followed, by what they are called in an address. */
export function followableKinds(
  kinds: readonly Kind[],
): ReadonlyMap<string, Kind & { readonly ref: ResourceRef }> {
  return new Map(
    kinds
      .filter(({ versions }) => versions[0].verbs.includes('watch'))
      .map((kind) => {
        const ref = { group: kind.group, version: kind.versions[0].version, plural: kind.plural };
        return [kindText(ref), { ...kind, ref }];
      }),
  );
}

/** The windows of a first visit: events, and the first custom kind. */
export function firstWindows(own: ResourceRef | undefined): readonly WindowQuery[] {
  const nothing = { namespace: '', labels: '', fields: '' };
  const kinds = [
    own ?? { plural: 'configmaps', version: 'v1', group: '' },
    { plural: 'events', version: 'v1', group: '' },
  ];
  return kinds.map((ref) => ({ ...nothing, kind: kindText(ref) }));
}
