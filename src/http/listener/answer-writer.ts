/** Header names and values as they are sent. */
export type OutgoingHeaders = Readonly<Record<string, string | readonly string[]>>;

/** Writes one response in one HTTP version. */
export interface AnswerWriter {
  /** True if nothing more can be written: the client has disconnected, or the response was aborted. */
  readonly gone: boolean;
  /** Sends a complete small response. */
  whole(status: number, headers: OutgoingHeaders, body: Uint8Array): void;
  /** Sends the head of a response; the body follows. */
  head(status: number, headers: OutgoingHeaders): void;
  /** Sends a chunk of the body; if false, the next one must wait until it has {@link drained}. */
  write(piece: Uint8Array): boolean;
  /** Resolves when the client has received everything including the end, or has disconnected. */
  drained(): Promise<void>;
  /** Ends the response, optionally with the last chunk: a client that knows the length does not wait for more. */
  end(last?: Uint8Array): void;
  /** Aborts the response so that the client notices. */
  abort(): void;
}
