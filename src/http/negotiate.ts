import { notAcceptableError } from '../meta/index.ts';

export type MediaType = 'json' | 'yaml' | 'protobuf' | 'cbor';

export const mediaTypeNames: Readonly<Record<MediaType, string>> = Object.freeze({
  json: 'application/json',
  yaml: 'application/yaml',
  protobuf: 'application/vnd.kubernetes.protobuf',
  cbor: 'application/cbor',
});

/** A CBOR sequence: the encoding of a watch in CBOR. */
export const cborSequence = 'application/cbor-seq';

/** Another representation of the same objects that a client may request. */
export type Transform = 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';

/** The negotiated representation of a response. */
export interface Representation {
  readonly mediaType: MediaType;
  readonly transform: { readonly as: Transform; readonly version: 'v1' | 'v1beta1' } | undefined;
  /** True if the clause requests indented JSON; the query parameter has precedence. */
  readonly pretty: boolean;
}

/** The representations that an endpoint offers. */
export interface Offer {
  /** By preference: wildcards get the first one. */
  readonly mediaTypes: readonly MediaType[];
  readonly transforms: readonly Transform[];
  /** Media types offered only for PartialObjectMetadata, which every kind supports. */
  readonly metadataMediaTypes?: readonly MediaType[];
  /** The media types that a 406 lists, if they differ from the offered ones. */
  readonly named?: readonly MediaType[];
  /** For watches: the names in a refusal end in `;stream=watch`, and YAML cannot be streamed. */
  readonly stream?: boolean;
}

/** A clause of an Accept header. */
interface Clause {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly quality: number;
}

/**
 * Selects the first clause of an Accept header that the endpoint can satisfy; JSON without the header.
 *
 * @throws {StatusError} 406
 */
export function negotiate(accept: string | undefined, offer: Offer): Representation {
  if (accept === undefined || accept === '') {
    return { mediaType: offer.mediaTypes[0] ?? 'json', transform: undefined, pretty: false };
  }
  for (const clause of parseAccept(accept)) {
    const found = satisfy(clause, offer);
    if (found !== undefined) return found;
  }
  const named = offer.named ?? offer.mediaTypes;
  throw notAcceptableError(
    named.map((type) => (offer.stream === true ? streamName(type) : mediaTypeNames[type])),
  );
}

function streamName(type: MediaType): string {
  return type === 'cbor' ? cborSequence : `${mediaTypeNames[type]};stream=watch`;
}

/**
 * Parses `application/json;as=Table;v=v1;g=meta.k8s.io, application/json` in order of preference. Invalid clauses are
 * ignored. Source: github.com/munnerz/goautoneg.
 */
export function parseAccept(header: string): Clause[] {
  const clauses = header.split(',').flatMap((part) => parseClause(part) ?? []);
  return clauses.length > bySwapsMax ? clauses.sort(byPreference) : sortedBySwaps(clauses);
}

function parseClause(text: string): Clause | undefined {
  const [range = '', ...rest] = text.split(';');
  const sides = range.split('/').map(trimmed);
  const type = sides.length === 1 && sides[0] === '*' ? '*/*' : sides.join('/');
  if (type !== '*/*' && (sides.length !== 2 || sides[1] === '')) return undefined;
  const parameters = new Map<string, string>();
  for (const parameter of rest) {
    const [name = '', value = '', ...more] = parameter.split('=');
    if (value !== '' && more.length === 0) parameters.set(trimmed(name), value);
  }
  return { type, parameters, quality: qualityOf(parameters.get('q')) };
}

function trimmed(text: string): string {
  return text.replace(/^ +| +$/g, '');
}

/** An invalid number counts as 0. */
function qualityOf(text: string | undefined): number {
  if (text === undefined) return 1;
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : 0;
}

/** Above this length, Go uses another sort algorithm, whose result is unpredictable. */
const bySwapsMax = 12;

/**
 * Upstream's comparison is not an order: a type precedes a wildcard whatever their qualities. The result depends on the
 * sort algorithm, which is Go's here.
 */
function sortedBySwaps(clauses: readonly Clause[]): Clause[] {
  const sorted: Clause[] = [];
  for (const clause of clauses) {
    let at = sorted.length;
    while (at > 0 && isBefore(clause, sorted[at - 1] ?? clause)) at -= 1;
    sorted.splice(at, 0, clause);
  }
  return sorted;
}

function isBefore(a: Clause, b: Clause): boolean {
  const isPlainer = (side: RegExp) => !side.test(a.type) && side.test(b.type);
  return a.quality > b.quality || isPlainer(/^\*\//) || isPlainer(/\/\*$/);
}

function byPreference(a: Clause, b: Clause): number {
  return b.quality - a.quality || Number(isBefore(b, a)) - Number(isBefore(a, b));
}

function satisfy(clause: Clause, offer: Offer): Representation | undefined {
  const transform = readTransform(clause, offer);
  if (transform === 'unknown') return undefined;
  const offered = mediaTypesFor(transform?.as, offer);
  const mediaType = offered.find((type) => accepts(clause, type));
  if (mediaType === undefined) return undefined;
  const pretty = clause.parameters.get('pretty')?.trim() === '1';
  return { mediaType, transform, pretty };
}

function mediaTypesFor(as: Transform | undefined, offer: Offer): readonly MediaType[] {
  if (as === undefined) return offer.mediaTypes;
  if (as === 'Table') return offer.mediaTypes.filter((type) => type !== 'protobuf');
  return offer.metadataMediaTypes ?? offer.mediaTypes;
}

function readTransform({ parameters }: Clause, offer: Offer): Representation['transform'] | 'unknown' {
  const [as, group, version] = ['as', 'g', 'v'].map((name) => parameters.get(name)?.trim());
  if (as === undefined && group === undefined && version === undefined) return undefined;
  const known = offer.transforms.find((transform) => transform === as);
  if (known === undefined || group !== 'meta.k8s.io') return 'unknown';
  return version === 'v1' || version === 'v1beta1' ? { as: known, version } : 'unknown';
}

/** Types are compared literally. Of the parameters, `stream` must be watch, and a server version v1. */
function accepts({ type, parameters }: Clause, offered: MediaType): boolean {
  const stream = parameters.get('stream')?.trim() ?? '';
  if (stream !== '' && (stream !== 'watch' || offered === 'yaml')) return false;
  const serverVersion = parameters.get('sv')?.trim() ?? '';
  if (serverVersion !== '' && serverVersion !== 'v1') return false;
  const name = mediaTypeNames[offered];
  return type === '*/*' || type === name || type === `${name.split('/')[0]}/*`;
}
