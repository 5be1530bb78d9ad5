import type { HttpRequest } from '../message.ts';

/** A request whose body is kept for the audit event, and which takes annotations. */
export class RecordedRequest implements HttpRequest {
  readonly annotate: (key: string, value: string) => void;
  readonly #inner: HttpRequest;
  readonly #onBody: (bytes: Uint8Array) => void;

  constructor(
    inner: HttpRequest,
    {
      annotate,
      onBody,
    }: {
      readonly annotate: (key: string, value: string) => void;
      readonly onBody: (bytes: Uint8Array) => void;
    },
  ) {
    this.#inner = inner;
    this.annotate = annotate;
    this.#onBody = onBody;
  }

  get method() {
    return this.#inner.method;
  }

  get path() {
    return this.#inner.path;
  }

  get search() {
    return this.#inner.search;
  }

  get query() {
    return this.#inner.query;
  }

  get remoteAddress() {
    return this.#inner.remoteAddress;
  }

  get certificate() {
    return this.#inner.certificate;
  }

  get signal() {
    return this.#inner.signal;
  }

  header(name: string) {
    return this.#inner.header(name);
  }

  headersFrom(prefix: string) {
    return this.#inner.headersFrom(prefix);
  }

  async body() {
    const bytes = await this.#inner.body();
    this.#onBody(bytes);
    return bytes;
  }
}
