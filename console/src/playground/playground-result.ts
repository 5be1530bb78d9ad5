import type { Status } from '../api/api-error.ts';
import type { DocumentName } from './playground-case.ts';

export interface Problem {
  readonly document: DocumentName;
  readonly line: number;
  readonly field: string;
  readonly message: string;
}

export interface TraceNode {
  readonly text: string;
  readonly value: string;
  readonly error?: string;
  readonly cost: number;
  readonly children: readonly TraceNode[];
}

export interface Evaluation {
  readonly path?: string;
  readonly params?: string;
  readonly value?: string;
  readonly error?: string;
  readonly cost: number;
  readonly trace?: TraceNode;
  readonly traceLeftOut?: number;
}

/** An arbitrarily large cost, and its limit. */
export interface Estimate {
  readonly cost: string | number;
  readonly limit: string | number;
}

export interface Expression {
  readonly document: DocumentName;
  readonly line: number;
  readonly owner: string;
  readonly field: string;
  readonly source: string;
  readonly estimate?: Estimate;
  readonly evaluations: readonly Evaluation[];
  readonly leftOut: number;
}

/** The server's result for a case; see docs/playground.md. */
export interface PlaygroundResult {
  readonly outcome: 'accepted' | 'refused' | 'unusable';
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly status?: Status;
  readonly warnings: readonly string[];
  readonly problems: readonly Problem[];
  readonly expressions: readonly Expression[];
  readonly costs: { readonly estimate?: Estimate; readonly runtime: Estimate };
}

/** A result, and the source text of its object: numbers may have 19 digits. */
export interface Answer {
  readonly result: PlaygroundResult;
  /** As JSON; empty if there is none. */
  readonly object: string;
}
