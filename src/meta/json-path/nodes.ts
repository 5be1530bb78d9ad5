/**
 * A JSONPath template in pieces, as client-go takes it apart.
 * Source: https://kubernetes.io/docs/reference/kubectl/jsonpath/ and k8s.io/client-go/util/jsonpath.
 */
export type PathNode =
  /** Literal text, within quotes or outside of braces. */
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'integer'; readonly value: number | bigint }
  | { readonly type: 'float'; readonly value: FloatLiteral }
  | { readonly type: 'boolean'; readonly value: boolean }
  /** `range`, `end`, and words that mean nothing. */
  | { readonly type: 'word'; readonly word: string }
  | { readonly type: 'field'; readonly name: string }
  | { readonly type: 'wildcard' }
  | { readonly type: 'recursive' }
  | { readonly type: 'slice'; readonly slice: SliceBounds }
  | { readonly type: 'filter'; readonly filter: PathFilter }
  | { readonly type: 'union'; readonly members: readonly PathNodes[] };

export type PathNodes = readonly PathNode[];

/** What stands between two braces, or text outside of them; a template is a row of those. */
export type PathTemplate = readonly PathNodes[];

/** `[start:end:step]`; undefined where it is left out. */
export interface SliceBounds {
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly step: number | undefined;
  /** The end was made from a single index: after -1 comes the end of the list, not index 0. */
  readonly isIndex: boolean;
}

export interface PathFilter {
  readonly left: PathNodes;
  readonly right: PathNodes;
  /** As it was written; `exists` where there is none. What it means shows when it is used. */
  readonly operator: string;
}

/** A number that was written with a point; it never equals an integer. */
export class FloatLiteral {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}
