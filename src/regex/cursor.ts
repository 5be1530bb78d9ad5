/** A pattern and the read position. */
export class Cursor {
  readonly pattern: string;
  at = 0;

  constructor(pattern: string) {
    this.pattern = pattern;
  }

  get done(): boolean {
    return this.at >= this.pattern.length;
  }

  /** The code unit `ahead` units further, or the empty string at the end. */
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

  /** The text read since `start`. */
  since(start: number): string {
    return this.pattern.slice(start, this.at);
  }

  /** The unread rest. */
  rest(): string {
    return this.pattern.slice(this.at);
  }
}
