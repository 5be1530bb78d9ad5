/** One document or file of a source: its name for messages, and its bytes. */
export interface SourceFile {
  readonly file: string;
  /** @throws the system's error, or a LoadError, for what cannot be read */
  read(): Promise<Uint8Array>;
}

/** A way to name manifests. */
export interface SourceKind {
  /** Whether a name is of this kind. */
  matches(name: string): boolean | Promise<boolean>;
  /** The files behind it. @throws {LoadError} where there is nothing */
  open(name: string): Promise<readonly SourceFile[]>;
}
