/** The error of a gRPC call: code and message. */
export interface CallFailure {
  readonly code: number;
  readonly details: string;
}

export function isCallFailure(error: unknown): error is Error & CallFailure {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' && 'details' in error;
}
