/**
 * The nodes of a JSONPath template, as client-go parses it.
 * Source: https://kubernetes.io/docs/reference/kubectl/jsonpath/ and k8s.io/client-go/util/jsonpath.
 */
export type PathNode =
  /** Literal text, in quotes or outside of braces. */
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'integer'; readonly value: number | bigint }
  | { readonly type: 'float'; readonly value: FloatLiteral }
  | { readonly type: 'boolean'; readonly value: boolean }
  /** `range`, `end`, and words without a meaning. */
  | { readonly type: 'word'; readonly word: string }
  | { readonly type: 'field'; readonly name: string }
  | { readonly type: 'wildcard' }
  | { readonly type: 'recursive' }
  | { readonly type: 'slice'; readonly slice: SliceBounds }
  | { readonly type: 'filter'; readonly filter: PathFilter }
  | { readonly type: 'union'; readonly members: readonly PathNodes[] };

export type PathNodes = readonly PathNode[];

/** The content of a pair of braces, or the text outside of them; a template is a sequence of these. */
export type PathTemplate = readonly PathNodes[];

/** `[start:end:step]`; undefined if omitted. */
export interface SliceBounds {
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly step: number | undefined;
  /** The end was derived from a single index: -1 is followed by the end of the list, not by index 0. */
  readonly isIndex: boolean;
}

export interface PathFilter {
  readonly left: PathNodes;
  readonly right: PathNodes;
  /** As written; `exists` if there is none. Its meaning is checked on use. */
  readonly operator: string;
}

/** A number with a decimal point; it never equals an integer. */
export class FloatLiteral {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}
