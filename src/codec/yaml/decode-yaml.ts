import { atOnce, Float64, isObject, type JsonValue, type RunSteps, type Steps } from '../../meta/index.ts';
import { DecodeError } from '../decode-error.ts';
import { type Decoded, decodeJsonInSteps } from '../json/decode-json.ts';
import { documentEvents } from './document-events.ts';
import type { ParsedText } from './flow-indentation.ts';
import { positionOf } from './position-of.ts';
import { YamlDecoder } from './yaml-decoder.ts';
import { NodeBuilder, type YamlNode } from './yaml-nodes.ts';
import { countLines, splitDocuments, type YamlDocumentText, yamlText } from './yaml-text.ts';

/**
 * Decodes the first document of a YAML stream as `sigs.k8s.io/yaml` does: YAML 1.1 words (`yes`, `off`), `010` is 8,
 * `1.0` is the integer 1, timestamps are strings, keys become strings, `<<` merges. An empty stream is null.
 *
 * Duplicate keys are reported as `line N: key "x" already set in map`; the last value wins.
 *
 * @throws {DecodeError} for text that is not YAML, has no JSON form, or exceeds the limits.
 */
export function decodeYaml(bytes: Uint8Array): Decoded {
  return atOnce(decodeYamlInSteps(bytes));
}

/** {@link decodeYaml}, in steps; the YAML parser itself is one step. */
export function* decodeYamlInSteps(bytes: Uint8Array): Steps<Decoded> {
  const quick = yield* decodeAsJson(bytes);
  if (quick !== undefined) return quick;
  const document = firstDocument(bytes);
  if (document === undefined) return nothing();
  return yield* decodeFirst(document, documentEvents(document, true));
}

/** Parses a document as `documentEvents` does, without holding up this thread. */
type ParseElsewhere = (document: YamlDocumentText) => Promise<ParsedText>;

interface WaysToDecode {
  readonly run: RunSteps;
  /** Undefined for a document that is parsed as a step. */
  readonly elsewhere: (chars: number) => ParseElsewhere | undefined;
}

/**
 * {@link decodeYaml}, which pauses between its steps, and parses a long document elsewhere.
 *
 * @throws {DecodeError} as {@link decodeYaml} does
 */
export async function decodeYamlInTurns(
  bytes: Uint8Array,
  { run, elsewhere }: WaysToDecode,
): Promise<Decoded> {
  const quick = await run(decodeAsJson(bytes));
  if (quick !== undefined) return quick;
  const document = firstDocument(bytes);
  if (document === undefined) return nothing();
  const parseDocument = elsewhere(document.text.length);
  const events =
    parseDocument === undefined
      ? documentEvents(document, true)
      : parsedAlready(await parseDocument(document));
  return run(decodeFirst(document, events));
}

function firstDocument(bytes: Uint8Array): YamlDocumentText | undefined {
  for (const document of splitDocuments(yamlText(bytes))) return document;
  return undefined;
}

function* parsedAlready(parsed: ParsedText): Steps<ParsedText> {
  yield;
  return parsed;
}

const nothing = (): Decoded => ({ value: null, duplicates: [] });

/** One document of a stream. */
export interface YamlDocument extends Decoded {
  /** The line of its first content, from 1. */
  readonly line: number;
  /** The line of the value at a path of keys and indexes, or of the deepest existing part of that path. */
  lineAt(path: readonly string[]): number;
}

/**
 * Decodes all documents of a YAML stream, without those that are empty.
 *
 * @throws {DecodeError} for the first invalid document.
 */
export function decodeYamlDocuments(bytes: Uint8Array): YamlDocument[] {
  const documents: YamlDocument[] = [];
  for (const source of splitDocuments(yamlText(bytes))) {
    const { document, root } = atOnce(parse(source, documentEvents(source, false)));
    if (root === undefined || (root.kind === 'scalar' && root.implicit && root.value === '')) continue;
    documents.push({
      ...atOnce(decodeNode(document, root)),
      line: lineOf(document, root.start),
      lineAt: (path) => lineOf(document, positionOf(root, path)),
    });
  }
  return documents;
}

/** Clients often send JSON as YAML; where both decoders must agree, the faster one is used. */
function* decodeAsJson(bytes: Uint8Array): Steps<Decoded | undefined> {
  if (bytes[0] !== 0x7b) return undefined;
  try {
    const decoded = yield* decodeJsonInSteps(bytes);
    yield;
    const alike = decoded.duplicates.length === 0 && isObject(decoded.value) && !holdsOddFloat(decoded.value);
    return alike ? decoded : undefined;
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}

/** `-0.0` and `1.0` are floats in JSON and integers in YAML; 2^53 as a float stays an integer in YAML. */
function holdsOddFloat(value: JsonValue): boolean {
  if (typeof value === 'number') return Object.is(value, -0) || Math.abs(value) > Number.MAX_SAFE_INTEGER;
  if (value instanceof Float64) return true;
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(holdsOddFloat);
  for (const key in value) if (holdsOddFloat(value[key] ?? null)) return true;
  return false;
}

function* decodeFirst(source: YamlDocumentText, events: Steps<ParsedText>): Steps<Decoded> {
  const { document, root } = yield* parse(source, events);
  return root === undefined ? nothing() : yield* decodeNode(document, root);
}

function* decodeNode(document: YamlDocumentText, root: YamlNode): Steps<Decoded> {
  const decoder = new YamlDecoder();
  const value = yield* guarded(decoder.decode(root));
  const texts = decoder.repeated.map(
    ({ at, key }) => `line ${lineOf(document, at)}: key ${key} already set in map`,
  );
  return { value, duplicates: texts };
}

function lineOf(document: YamlDocumentText, position: number): number {
  return document.firstLine + countLines(document.text, 0, position);
}

/** A document with its node tree; positions refer to its text. */
interface ParsedDocument {
  readonly document: YamlDocumentText;
  readonly root: YamlNode | undefined;
}

function parse(source: YamlDocumentText, events: Steps<ParsedText>): Steps<ParsedDocument> {
  return guarded(parseUnguarded(source, events));
}

function* parseUnguarded(source: YamlDocumentText, parsing: Steps<ParsedText>): Steps<ParsedDocument> {
  const { text, events } = yield* parsing;
  yield;
  const root = yield* new NodeBuilder(text).build(events);
  yield;
  return { document: { ...source, text }, root };
}

/** The parser recurses: if the caller has left too little stack, the document counts as too deep. */
function* guarded<T>(read: Steps<T>): Steps<T> {
  try {
    return yield* read;
  } catch (error) {
    if (error instanceof RangeError) throw new DecodeError('yaml: exceeded max depth');
    throw error;
  }
}
