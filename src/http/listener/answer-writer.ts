/** Names and values of headers as they are sent. */
export type OutgoingHeaders = Readonly<Record<string, string | readonly string[]>>;

/** Writes one answer, over one version of HTTP. */
export interface AnswerWriter {
  /** True if nothing more can be written: the client has disconnected, or the response was aborted. */
  readonly gone: boolean;
  /** Sends a whole answer at once; for those that are small. */
  whole(status: number, headers: OutgoingHeaders, body: Uint8Array): void;
  /** Sends the head of an answer whose body follows. */
  head(status: number, headers: OutgoingHeaders): void;
  /** Sends a piece of the body; false where the next one must wait until it has {@link drained}. */
  write(piece: Uint8Array): boolean;
  /** Resolves when the client has received everything, the end included, or has disconnected. */
  drained(): Promise<void>;
  /** Ends the answer, with the last piece of its body where one is given: a client that knows the length waits for no more. */
  end(last?: Uint8Array): void;
  /** Breaks the answer off so that the client sees it. */
  abort(): void;
}
