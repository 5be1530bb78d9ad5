import type { Format } from './format.ts';
import { isStrictIp } from './ip.ts';

/** A printable character, or any non-ASCII one. */
const printable = '!-~\\u0080-\\u{10ffff}';
const atom = /[!#-'*+\-./0-9=?A-Z^-~\u0080-\u{10ffff}]+/uy;
const quoted = new RegExp(`"((?:[ \\t${printable.replace('!', '!#-[\\]')}]|\\\\[ \\t${printable}])*)"`, 'uy');
const domainLiteral = /\[([!-Z^-~\u0080-\u{10ffff}]*)\]/uy;
const spaces = /[ \t]*/y;

/**
 * Parses RFC 5322 addresses like Go's net/mail, which is laxer than the RFC in places (dots in phrases, any non-ASCII
 * character) and stricter in others (a domain literal must be an IP address).
 */
class AddressReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** True if the whole text is one address: `a@b`, `Name <a@b>`, or a group of one. */
  readSingle(): boolean {
    return this.#address(true) === 1 && this.#skipComments() && this.#at === this.#text.length;
  }

  /** Parses an address or a group and returns the number of addresses; undefined if it is neither. */
  #address(groupAllowed: boolean): number | undefined {
    this.#skipSpaces();
    if (this.#atEnd()) return undefined;
    if (this.#addrSpec()) return this.#trailingComment() ? 1 : undefined;
    if (this.#peek() !== '<' && !this.#phrase()) return undefined;
    this.#skipSpaces();
    if (groupAllowed && this.#consume(':')) return this.#group();
    return this.#consume('<') && this.#addrSpec() && this.#consume('>') ? 1 : undefined;
  }

  #group(): number | undefined {
    this.#skipSpaces();
    if (this.#consume(';')) return this.#skipComments() ? 0 : undefined;
    for (let count = 0; ; ) {
      const found = this.#address(false);
      if (found === undefined || !this.#skipComments()) return undefined;
      count += found;
      if (this.#consume(';')) return this.#skipComments() ? count : undefined;
      if (!this.#consume(',')) return undefined;
    }
  }

  /** `local@domain`; restores the position if there is none. */
  #addrSpec(): boolean {
    const start = this.#at;
    this.#skipSpaces();
    if (this.#localPart() && this.#consume('@') && this.#domain()) return true;
    this.#at = start;
    return false;
  }

  #localPart(): boolean {
    if (this.#peek() !== '"') return this.#dotAtom();
    const content = this.#match(quoted)?.[1];
    return content !== undefined && content !== '';
  }

  #domain(): boolean {
    this.#skipSpaces();
    if (this.#peek() !== '[') return this.#dotAtom();
    const content = this.#match(domainLiteral)?.[1];
    return content !== undefined && isStrictIp(content);
  }

  #dotAtom(): boolean {
    const found = this.#match(atom)?.[0];
    return found !== undefined && !found.startsWith('.') && !found.endsWith('.') && !found.includes('..');
  }

  /** One or more words; stops after the first one at an invalid word. */
  #phrase(): boolean {
    for (let words = 0; ; words += 1) {
      if (words > 0 && !this.#skipComments()) return false;
      this.#skipSpaces();
      if (this.#match(this.#peek() === '"' ? quoted : atom) === undefined) return words > 0;
    }
  }

  #trailingComment(): boolean {
    this.#skipSpaces();
    return this.#peek() !== '(' || this.#comment();
  }

  #skipComments(): boolean {
    this.#skipSpaces();
    while (this.#peek() === '(') {
      if (!this.#comment()) return false;
      this.#skipSpaces();
    }
    return true;
  }

  /** A parenthesized comment, which may be nested. */
  #comment(): boolean {
    let depth = 0;
    while (!this.#atEnd()) {
      const char = this.#peek();
      if (char === '\\' && this.#at + 1 < this.#text.length) this.#at += 1;
      else if (char === '(') depth += 1;
      else if (char === ')') depth -= 1;
      this.#at += 1;
      if (depth === 0) return true;
    }
    return false;
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text) ?? undefined;
    if (found !== undefined) this.#at = pattern.lastIndex;
    return found;
  }

  #skipSpaces(): void {
    this.#match(spaces);
  }

  #consume(char: string): boolean {
    if (this.#peek() !== char) return false;
    this.#at += 1;
    return true;
  }

  #peek(): string {
    return this.#text.charAt(this.#at);
  }

  #atEnd(): boolean {
    return this.#at >= this.#text.length;
  }
}

/** An e-mail address (RFC 5322), with or without a display name. */
export const email: Format = {
  name: 'email',
  type: 'string',
  accepts: (text) => new AddressReader(text).readSingle(),
};
