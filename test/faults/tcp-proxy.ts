import { once } from 'node:events';
import { createServer, connect, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What may happen to a piece on its way. */
interface Weather {
  /** How long each piece takes. */
  delayMs: number;
  /** While it is set, matching connections transfer nothing, and stay open. */
  holds: ((client: Socket) => boolean) | undefined;
}

/** A piece of network between a client and a server that can be cut, slowed down, or lose everything silently. */
export class TcpProxy implements AsyncDisposable {
  readonly port: number;
  readonly #server: Server;
  readonly #target: number;
  readonly #sockets = new Set<Socket>();
  readonly #weather: Weather = { delayMs: 0, holds: undefined };
  #waiting: (() => void)[] = [];

  private constructor(server: Server, port: number, target: number) {
    this.#server = server;
    this.port = port;
    this.#target = target;
    server.on('connection', (client: Socket) => this.#join(client));
  }

  /** Listens on the loopback interface, on a free port unless one is named. */
  static async start(target: number, port = 0): Promise<TcpProxy> {
    const server = createServer({ allowHalfOpen: false }).listen(port, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('a port was asked for');
    return new TcpProxy(server, address.port, target);
  }

  /** Ends every connection at once, as when a cable is pulled and both sides notice. */
  cut(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  slow(delayMs: number): void {
    this.#weather.delayMs = delayMs;
  }

  /** Transfers nothing any more, and stays open. */
  hold(holds: (client: Socket) => boolean = () => true): void {
    this.#weather.holds = holds;
  }

  /** Carries everything again, also what was held back; what was cut stays so. */
  release(): void {
    this.#weather.holds = undefined;
    for (const go of this.#waiting.splice(0)) go();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.release();
    this.cut();
    this.#server.close();
  }

  #join(client: Socket): void {
    const server = connect(this.#target, '127.0.0.1');
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.on('close', () => {
        this.#sockets.delete(socket);
        client.destroy();
        server.destroy();
      });
    }
    void this.#carry(client, server, client);
    void this.#carry(server, client, client);
  }

  /** One piece after the other, so that none overtakes another one. */
  async #carry(from: Socket, to: Socket, client: Socket): Promise<void> {
    try {
      for await (const piece of from) {
        if (this.#weather.delayMs > 0) await sleep(this.#weather.delayMs);
        while (this.#weather.holds?.(client) === true)
          await new Promise<void>((go) => this.#waiting.push(go));
        if (!to.writable) return;
        to.write(piece);
      }
      to.end();
    } catch {
      to.destroy();
    }
  }
}
