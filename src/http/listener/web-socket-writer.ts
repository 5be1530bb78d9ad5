import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WebSocket, WebSocketServer } from 'ws';
import type { AnswerWriter, OutgoingHeaders } from './answer-writer.ts';
import { drainedOrClosed } from './drained.ts';
import { chosenProtocol } from './web-socket-handshake.ts';

/** Clients only send pings and close frames. */
const receivedBytesMax = 4 * 1024;

let loading: Promise<WebSocketServer> | undefined;

/** The library is loaded with the first WebSocket: most servers never need it. */
export function webSockets(): Promise<WebSocketServer> {
  loading ??= import('ws').then(
    ({ WebSocketServer: Server }) =>
      new Server({
        noServer: true,
        clientTracking: false,
        perMessageDeflate: false,
        maxPayload: receivedBytesMax,
        // Pongs to a client that pings and does not read would fill memory.
        autoPong: false,
        handleProtocols: (protocols) => chosenProtocol(protocols) ?? false,
      }),
  );
  return loading;
}

interface WebSocketParts {
  readonly server: WebSocketServer;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Responses other than watches: refusals, lists. */
  readonly plain: AnswerWriter;
}

/** Writes a response with status 101 as messages, one per chunk, and every other response unchanged. */
export class WebSocketWriter implements AnswerWriter {
  readonly #parts: WebSocketParts;
  #socket: WebSocket | undefined;
  #isBinary = false;

  constructor(parts: WebSocketParts) {
    this.#parts = parts;
  }

  get gone(): boolean {
    const { plain, request } = this.#parts;
    return this.#socket === undefined
      ? plain.gone
      : this.#socket.readyState !== this.#socket.OPEN || request.socket.destroyed;
  }

  whole(status: number, headers: OutgoingHeaders, body: Uint8Array): void {
    this.#parts.plain.whole(status, { ...headers, connection: 'close' }, body);
  }

  head(status: number, headers: OutgoingHeaders): void {
    if (status !== 101) return this.#parts.plain.head(status, { ...headers, connection: 'close' });
    const { server, request } = this.#parts;
    this.#isBinary = headers['content-type'] !== 'application/json';
    const { socket } = request;
    // From here on the bytes are not HTTP: detaches Node's parser from the socket.
    socket.removeAllListeners('data');
    server.handleUpgrade(request, socket, Buffer.alloc(0), (opened) => {
      this.#socket = opened;
      opened.on('ping', (data) => {
        if (!socket.writableNeedDrain) opened.pong(data);
      });
      opened.on('error', () => opened.terminate());
    });
  }

  write(piece: Uint8Array): boolean {
    if (this.#socket === undefined) return this.#parts.plain.write(piece);
    this.#socket.send(piece, { binary: this.#isBinary });
    return !this.#parts.request.socket.writableNeedDrain;
  }

  drained(): Promise<void> {
    return this.#socket === undefined
      ? this.#parts.plain.drained()
      : drainedOrClosed(this.#parts.request.socket);
  }

  end(last?: Uint8Array): void {
    if (this.#socket === undefined) return this.#parts.plain.end(last);
    if (last !== undefined) this.write(last);
    this.#socket.close(1000);
  }

  abort(): void {
    this.#parts.response.destroy();
    this.#socket?.terminate();
  }
}
