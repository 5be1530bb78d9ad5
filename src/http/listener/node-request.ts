import type { ClientCertificate, HeaderLines } from '../../auth/index.ts';
import { parseQuery, type UserInfo } from '../../meta/index.ts';
import type { HttpRequest } from '../message.ts';
import type { AnswerHold } from '../overload/index.ts';

/** The inputs of a request in any HTTP version. */
interface NodeRequestParts {
  readonly method: string;
  /** Path and query as sent. */
  readonly url: string;
  readonly remoteAddress: string;
  readonly certificate: ClientCertificate | undefined;
  readonly onUser: (user: UserInfo) => void;
  readonly hold: AnswerHold;
  readonly onPage?: () => void;
}

/** A request from a socket; rarely used fields are computed on demand. */
export abstract class NodeRequest implements HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly search: string;
  readonly remoteAddress: string;
  readonly certificate: ClientCertificate | undefined;
  readonly onUser: (user: UserInfo) => void;
  readonly hold: AnswerHold;
  readonly onPage: () => void;
  #isOver = false;
  #query: URLSearchParams | undefined;
  #gone: AbortController | undefined;
  #body: Promise<Uint8Array> | undefined;

  constructor({
    method,
    url,
    remoteAddress,
    certificate,
    onUser,
    onPage = () => {},
    hold,
  }: NodeRequestParts) {
    this.method = method;
    this.remoteAddress = remoteAddress;
    this.certificate = certificate;
    this.onUser = onUser;
    this.hold = hold;
    this.onPage = onPage;
    const target = url.startsWith('/') ? url : url.replace(schemeAndAuthority, '');
    const mark = target.indexOf('?');
    this.path = mark === -1 ? target : target.slice(0, mark);
    this.search = mark === -1 ? '' : target.slice(mark + 1);
  }

  abstract header(name: string): string | undefined;
  abstract headersFrom(prefix: string): HeaderLines;
  protected abstract read(): Promise<Uint8Array>;
  protected abstract readonly isGone: boolean;
  protected abstract whenGone(call: () => void): void;

  get query(): URLSearchParams {
    this.#query ??= this.search === '' ? noQuery : parseQuery(this.search);
    return this.#query;
  }

  get signal(): AbortSignal {
    if (this.#gone === undefined) {
      const gone = new AbortController();
      if (this.isGone) gone.abort();
      else this.whenGone(() => this.#isOver || gone.abort());
      this.#gone = gone;
    }
    return this.#gone.signal;
  }

  /** After the response, its stream closes, and nobody needs to be told: an abort makes an error with a stack, 10 us. */
  over(): void {
    this.#isOver = true;
    this.hold.end();
  }

  expire(): void {
    this.#gone ??= new AbortController();
    this.#gone.abort();
  }

  body(): Promise<Uint8Array> {
    this.#body ??= this.read();
    return this.#body;
  }
}

/** Of a request target in absolute form, which servers must accept. Source: RFC 9112, 3.2.2. */
const schemeAndAuthority = /^https?:\/\/[^/?]*/i;

/** Shared, because most requests have none and it is never mutated. */
const noQuery = new URLSearchParams();

/** A header as a string; repeated ones are joined. */
export function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}
