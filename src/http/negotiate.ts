import { notAcceptableError } from '../meta/index.ts';

export type MediaType = 'json' | 'yaml' | 'protobuf';

export const mediaTypeNames: Readonly<Record<MediaType, string>> = Object.freeze({
  json: 'application/json',
  yaml: 'application/yaml',
  protobuf: 'application/vnd.kubernetes.protobuf',
});

/** Another view of the same objects that a client may ask for. */
export type Transform = 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';

/** What the answer shall look like. */
export interface Representation {
  readonly mediaType: MediaType;
  readonly transform: { readonly as: Transform; readonly version: 'v1' | 'v1beta1' } | undefined;
  /** The clause asked for indented JSON; the query parameter counts before it. */
  readonly pretty: boolean;
}

/** What an endpoint can give. */
export interface Offer {
  /** In order of preference: the first serves wildcards. */
  readonly mediaTypes: readonly MediaType[];
  readonly transforms: readonly Transform[];
  /** Media types that only serve PartialObjectMetadata, which every kind can be turned into. */
  readonly metadataMediaTypes?: readonly MediaType[];
  /** Watches: the names in a refusal end in `;stream=watch`, and YAML cannot be streamed. */
  readonly stream?: boolean;
}

interface Clause {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly quality: number;
}

/**
 * Picks the first clause of an Accept header that the endpoint can satisfy. No header means JSON.
 *
 * @throws {StatusError} 406
 */
export function negotiate(accept: string | undefined, offer: Offer): Representation {
  const clauses = parseAccept(accept ?? '');
  if (clauses.length === 0) return { mediaType: first(offer), transform: undefined, pretty: false };
  for (const clause of clauses) {
    const found = satisfy(clause, offer);
    if (found !== undefined) return found;
  }
  const suffix = offer.stream === true ? ';stream=watch' : '';
  throw notAcceptableError(offer.mediaTypes.map((type) => `${mediaTypeNames[type]}${suffix}`));
}

function first(offer: Offer): MediaType {
  return offer.mediaTypes[0] ?? 'json';
}

/** `application/json;as=Table;v=v1;g=meta.k8s.io, application/json` in the order of preference. */
export function parseAccept(header: string): Clause[] {
  const clauses = header
    .split(',')
    .filter((part) => part.trim() !== '')
    .map(parseClause);
  return clauses.sort((a, b) => b.quality - a.quality);
}

function parseClause(text: string): Clause {
  const [type = '', ...rest] = text.split(';').map((part) => part.trim());
  const parameters = new Map<string, string>();
  for (const parameter of rest) {
    const [name = '', value = ''] = parameter.split('=').map((side) => side.trim());
    parameters.set(name.toLowerCase(), value);
  }
  const quality = Number(parameters.get('q') ?? '1');
  return { type: type.toLowerCase(), parameters, quality: Number.isFinite(quality) ? quality : 1 };
}

function satisfy(clause: Clause, offer: Offer): Representation | undefined {
  const transform = readTransform(clause, offer);
  if (transform === 'unknown') return undefined;
  const offered = mediaTypesFor(transform?.as, offer);
  const mediaType = offered.find((type) => accepts(clause.type, mediaTypeNames[type]));
  if (mediaType === undefined) return undefined;
  return { mediaType, transform, pretty: clause.parameters.get('pretty') === '1' };
}

function mediaTypesFor(as: Transform | undefined, offer: Offer): readonly MediaType[] {
  if (as === undefined) return offer.mediaTypes;
  if (as === 'Table') return offer.mediaTypes.filter((type) => type !== 'protobuf');
  return offer.metadataMediaTypes ?? offer.mediaTypes;
}

function readTransform({ parameters }: Clause, offer: Offer): Representation['transform'] | 'unknown' {
  const as = parameters.get('as');
  if (as === undefined) return undefined;
  const known = offer.transforms.find((transform) => transform === as);
  const version = parameters.get('v');
  if (known === undefined || parameters.get('g') !== 'meta.k8s.io') return 'unknown';
  return version === 'v1' || version === 'v1beta1' ? { as: known, version } : 'unknown';
}

function accepts(wanted: string, offered: string): boolean {
  return wanted === '*/*' || wanted === offered || wanted === `${offered.split('/')[0]}/*`;
}
