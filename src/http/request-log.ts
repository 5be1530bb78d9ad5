/** What is told of a request that was answered: nothing of its query, its credentials or its body. */
export interface RequestLine {
  readonly method: string;
  readonly path: string;
  readonly code: number;
  /** Until the answer was ready; of a watch, until it began. */
  readonly ms: number;
  /** Empty where nobody knows. */
  readonly user: string;
  readonly userAgent: string;
}

export type RequestLog = (line: RequestLine) => void;
