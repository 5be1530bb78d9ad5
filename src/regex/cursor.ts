/** A pattern and how far it has been read. */
export class Cursor {
  readonly pattern: string;
  at = 0;

  constructor(pattern: string) {
    this.pattern = pattern;
  }

  get done(): boolean {
    return this.at >= this.pattern.length;
  }

  /** The code unit that is `ahead` units further, or the empty string at the end. */
  peek(ahead = 0): string {
    return this.pattern.charAt(this.at + ahead);
  }

  lookingAt(text: string): boolean {
    return this.pattern.startsWith(text, this.at);
  }

  /** Reads one code point; -1 at the end. */
  next(): number {
    const codePoint = this.pattern.codePointAt(this.at) ?? -1;
    if (codePoint >= 0) this.at += codePoint > 0xffff ? 2 : 1;
    return codePoint;
  }

  /** What has been read since `start`. */
  since(start: number): string {
    return this.pattern.slice(start, this.at);
  }

  /** What has not been read yet. */
  rest(): string {
    return this.pattern.slice(this.at);
  }
}
