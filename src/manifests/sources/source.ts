/** One document or file of a source: its name for messages, and its bytes. */
export interface SourceFile {
  readonly file: string;
  /** @throws the system's error, or a LoadError, for an unreadable file */
  read(): Promise<Uint8Array>;
}

/** A kind of source. */
export interface SourceKind {
  /** Whether a name has this kind. */
  matches(name: string): boolean | Promise<boolean>;
  /** The files of the source. @throws {LoadError} if there are none */
  open(name: string): Promise<readonly SourceFile[]>;
}
