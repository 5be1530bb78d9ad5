import type { ExplainedNode } from '../cel/index.ts';
import type { KubeObject, Status } from '../meta/index.ts';
import type { DocumentName } from './playground-case.ts';

/** A message about a text of the case, with its position. */
export interface PlaygroundProblem<Document extends string = DocumentName> {
  readonly document: Document;
  /** The line in the text, from 1. */
  readonly line: number;
  /** `spec.items[0].name`; empty for the whole document. */
  readonly field: string;
  readonly message: string;
}

/** One evaluation of an expression. */
export interface PlaygroundEvaluation {
  /** For a schema rule: the path of the value, `spec.items[0]`; empty for the object itself. */
  readonly path?: string;
  /** For a policy with parameters: the parameter object, `default/limits`. */
  readonly params?: string;
  /** As a CEL literal. */
  readonly value?: string;
  readonly error?: string;
  readonly cost: number;
  /** The values of its parts; missing after the first evaluations. */
  readonly trace?: ExplainedNode;
  /** The number of parts omitted from the trace. */
  readonly traceLeftOut?: number;
}

/** An expression of the case, and its results. */
export interface PlaygroundExpression {
  readonly document: DocumentName;
  readonly line: number;
  /** The object that contains it: `CustomResourceDefinition widgets.example.com`. */
  readonly owner: string;
  /** `spec.validations[0].expression` */
  readonly field: string;
  readonly source: string;
  /**
   * The maximum cost by the declared sizes, times the maximum number of runs; a string, because it may have 20 digits.
   * Only for schema rules that compile.
   */
  readonly estimate?: { readonly cost: string; readonly limit: string };
  readonly evaluations: readonly PlaygroundEvaluation[];
  /** The number of omitted evaluations. */
  readonly leftOut: number;
}

/** The result of a case. */
export interface PlaygroundResult {
  /** `unusable`: the server refuses a part of the case, so that the write was not tried. */
  readonly outcome: 'accepted' | 'refused' | 'unusable';
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  /** The response to an accepted write: with defaults and mutations. */
  readonly object?: KubeObject;
  /** The response to a refused write, unchanged. */
  readonly status?: Status;
  readonly warnings: readonly string[];
  readonly problems: readonly PlaygroundProblem[];
  readonly expressions: readonly PlaygroundExpression[];
  readonly costs: {
    /** Of all rules of a schema together, if they compile. */
    readonly estimate?: { readonly cost: string; readonly limit: string };
    /** Of all evaluations of this write. */
    readonly runtime: { readonly cost: number; readonly limit: number };
  };
}
