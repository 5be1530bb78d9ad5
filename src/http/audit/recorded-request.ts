import type { KubeObject, TrackLayer } from '../../meta/index.ts';
import type { HttpRequest } from '../message.ts';

interface Recorder {
  readonly annotate: (key: string, value: string) => void;
  readonly track: TrackLayer;
  readonly onObject: ((object: KubeObject) => void) | undefined;
  /** Undefined where the body is not kept. */
  readonly onBody: ((bytes: Uint8Array) => void) | undefined;
}

/** Forwards each property, so that none is lost when auditing is on. */
type WholeRequest = { readonly [Key in keyof Required<HttpRequest>]: HttpRequest[Key] };

/** A request that keeps its body for the audit event and collects annotations. */
export class RecordedRequest implements WholeRequest {
  readonly annotate: (key: string, value: string) => void;
  readonly track: TrackLayer;
  readonly onObject: Recorder['onObject'];
  readonly #inner: HttpRequest;
  readonly #onBody: Recorder['onBody'];

  constructor(inner: HttpRequest, { annotate, track, onObject, onBody }: Recorder) {
    this.#inner = inner;
    this.annotate = annotate;
    this.track = track;
    this.onObject = onObject;
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

  get trustedUser() {
    return this.#inner.trustedUser;
  }

  get hold() {
    return this.#inner.hold;
  }

  get takesMessages() {
    return this.#inner.takesMessages;
  }

  get signal() {
    return this.#inner.signal;
  }

  onUser(...user: Parameters<NonNullable<HttpRequest['onUser']>>) {
    this.#inner.onUser?.(...user);
  }

  onPage() {
    this.#inner.onPage?.();
  }

  expire() {
    this.#inner.expire?.();
  }

  header(name: string) {
    return this.#inner.header(name);
  }

  headersFrom(prefix: string) {
    return this.#inner.headersFrom(prefix);
  }

  async body() {
    const bytes = await this.#inner.body();
    this.#onBody?.(bytes);
    return bytes;
  }
}
