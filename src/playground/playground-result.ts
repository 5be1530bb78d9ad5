import type { ExplainedNode } from '../cel/index.ts';
import type { KubeObject, Status } from '../meta/index.ts';
import type { DocumentName } from './playground-case.ts';

/** Something that the server says of a text of the case, and where. */
export interface PlaygroundProblem {
  readonly document: DocumentName;
  /** In the text, from 1. */
  readonly line: number;
  /** `spec.items[0].name`; empty where it is about a whole document. */
  readonly field: string;
  readonly message: string;
}

/** One evaluation of an expression. */
export interface PlaygroundEvaluation {
  /** Of a rule of a schema: the value that it is about, `spec.items[0]`; empty for the object itself. */
  readonly path?: string;
  /** Of a policy with parameters: which one it was evaluated with, `default/limits`. */
  readonly params?: string;
  /** As an expression would write it. */
  readonly value?: string;
  readonly error?: string;
  readonly cost: number;
  /** What its parts came to; missing for evaluations beyond the first ones. */
  readonly trace?: ExplainedNode;
  /** So many parts are not in the trace. */
  readonly traceLeftOut?: number;
}

/** An expression of the case, and what came of it. */
export interface PlaygroundExpression {
  readonly document: DocumentName;
  readonly line: number;
  /** Of the object that it stands in: `CustomResourceDefinition widgets.example.com`. */
  readonly owner: string;
  /** `spec.validations[0].expression` */
  readonly field: string;
  readonly source: string;
  /**
   * What it may cost at most by the declared sizes, all the times counted that it may run, as text since it may have 20
   * digits; only for rules of schemas that compile.
   */
  readonly estimate?: { readonly cost: string; readonly limit: string };
  readonly evaluations: readonly PlaygroundEvaluation[];
  /** So many evaluations are not in the list. */
  readonly leftOut: number;
}

/** What the server makes of a case. */
export interface PlaygroundResult {
  /** `unusable`: the server takes a part of the case not at all, so that the write was not tried. */
  readonly outcome: 'accepted' | 'refused' | 'unusable';
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  /** The answer to a write that is accepted: with defaults and mutations. */
  readonly object?: KubeObject;
  /** The answer to a write that is refused, word for word. */
  readonly status?: Status;
  readonly warnings: readonly string[];
  readonly problems: readonly PlaygroundProblem[];
  readonly expressions: readonly PlaygroundExpression[];
  readonly costs: {
    /** Of all rules of a schema together, where they compile. */
    readonly estimate?: { readonly cost: string; readonly limit: string };
    /** Of all evaluations of this write. */
    readonly runtime: { readonly cost: number; readonly limit: number };
  };
}
