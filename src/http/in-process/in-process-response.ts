import { wholeOf } from '../body.ts';
import { type HttpResponse, isStream } from '../message.ts';

/** The `Response` of a call. Most callers read only its status, and its body once as text. */
export function responseOf(answer: HttpResponse): Response {
  return answer.status === 304 || isStream(answer.body)
    ? realResponse(answer)
    : new InProcessResponse(answer);
}

function realResponse({ status, headers, body }: HttpResponse): Response {
  const fields = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    fields.append(name, typeof value === 'string' ? value : value.join(', '));
  }
  if (status === 304) return new Response(null, { status, headers: fields });
  return new Response(isStream(body) ? ReadableStream.from(body) : wholeOf(body), {
    status,
    headers: fields,
  });
}

/**
 * Creates the real `Response` only when a caller uses more than status and content: creating one takes longer than most
 * requests, and the first one of a process makes Node load its `fetch`, which takes as long as starting a server.
 */
class InProcessResponse implements Response {
  readonly status: number;
  readonly redirected = false;
  readonly statusText = '';
  readonly type = 'default';
  readonly url = '';
  readonly #answer: HttpResponse;
  #made: Response | undefined;
  #isRead = false;

  static {
    // `instanceof Response` is true; the real one is only created on demand.
    const lazily = new Proxy({}, { getPrototypeOf: () => Response.prototype });
    Object.setPrototypeOf(InProcessResponse.prototype, lazily);
  }

  constructor(answer: HttpResponse) {
    this.status = answer.status;
    this.#answer = answer;
  }

  get [Symbol.toStringTag](): string {
    return 'Response';
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  get headers(): Headers {
    return this.#real.headers;
  }

  get body(): Response['body'] {
    return this.#real.body;
  }

  get bodyUsed(): boolean {
    return this.#made?.bodyUsed ?? this.#isRead;
  }

  async text(): Promise<string> {
    const whole = this.#take();
    return whole === undefined ? this.#real.text() : new TextDecoder().decode(whole);
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    const whole = this.#take();
    return whole === undefined ? this.#real.arrayBuffer() : new Uint8Array(whole).buffer;
  }

  async bytes(): Promise<Uint8Array> {
    return new Uint8Array(await this.arrayBuffer());
  }

  async blob(): Promise<Blob> {
    return this.#real.blob();
  }

  async formData(): ReturnType<Response['formData']> {
    return this.#real.formData();
  }

  clone(): Response {
    return this.#real.clone();
  }

  /** The content on the first read; undefined if the real response must decide. */
  #take(): Uint8Array | undefined {
    const { body } = this.#answer;
    if (this.#made !== undefined || this.#isRead || isStream(body)) return undefined;
    this.#isRead = true;
    return wholeOf(body);
  }

  get #real(): Response {
    if (this.#made === undefined) {
      this.#made = realResponse(this.#answer);
      if (this.#isRead) void this.#made.arrayBuffer();
    }
    return this.#made;
  }
}
