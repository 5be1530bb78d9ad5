import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { closedError } from '../closed.ts';
import { StoreError } from '../store.ts';
import { parseAddress, type PostgresAddress, type PostgresHost, type SslMode, shown } from './address.ts';
import { isWrongHost, judge, storeErrorOf } from './postgres-error.ts';
import type { PostgresOptions, PostgresTiming } from './options.ts';

/** A row as an array of columns. */
export type Row = readonly unknown[];

/** A statement and its parameters. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Prepared under this name when the connection runs it first; only for connections without a pooler. */
  readonly name?: string;
}

const int8 = 20;
const bytea = 17;

/** Revisions as numbers, and bytes in a buffer of their own. */
const types = {
  getTypeParser(oid: number) {
    if (oid === int8) return Number;
    if (oid === bytea) return (text: string) => new Uint8Array(Buffer.from(text.slice(2), 'hex'));
    return pg.types.getTypeParser(oid, 'text');
  },
};

/** One connection to the host that can be written. */
export class Connection {
  readonly client: pg.Client;
  #broken = false;
  #warning: string | undefined;

  constructor(client: pg.Client) {
    this.client = client;
    const end = () => {
      this.#broken = true;
    };
    client.on('error', end);
    client.on('end', end);
    client.on('notice', ({ severity, message }) => {
      if (severity === 'WARNING') this.#warning = message;
    });
  }

  /** What PostgreSQL warned of during the last statement. */
  get warning(): string | undefined {
    return this.#warning;
  }

  get isBroken(): boolean {
    return this.#broken;
  }

  /** Runs a statement. Rejects with the error of PostgreSQL or of the network. */
  async query({ text, values, name }: Statement, timeoutMs: number): Promise<Row[]> {
    this.#warning = undefined;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        this.close();
        reject(new Error(`no answer within ${timeoutMs / 1000} s`));
      }, timeoutMs);
    });
    try {
      const named = name !== undefined && { name };
      const answer = this.client.query<Row[]>({ text, values: [...values], ...named, rowMode: 'array' });
      return (await Promise.race([answer, late])).rows;
    } catch (error) {
      if (judge(error).kind === 'broken' || isWrongHost(error)) this.close();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    this.#broken = true;
    this.client.end().catch(() => {});
    // A silent server does not answer the termination message either.
    if ('stream' in this.client.connection) this.client.connection.stream.destroy();
  }
}

interface ConnectionsParts {
  readonly timing: PostgresTiming;
  /** How many may be in use. */
  readonly max: number;
  /** Looks at each new connection before it is used. */
  readonly check: (run: (statement: Statement) => Promise<Row[]>) => Promise<void>;
}

/**
 * The connections to one database: found at the host that can be written, kept, and replaced when they break. Calls wait
 * patiently for a database that was lost a moment ago, and fail at once when it has been away for longer.
 */
export class Connections {
  readonly #address: PostgresAddress;
  readonly #options: PostgresOptions;
  readonly #timing: PostgresTiming;
  readonly #check: ConnectionsParts['check'];
  readonly #idle: Connection[] = [];
  readonly #open = new Set<Connection>();
  readonly #waiting: (() => void)[] = [];
  readonly #max: number;
  #inUse = 0;
  /** Where the last connection was made. */
  #host = 0;
  #downSinceMs: number | undefined;
  #closed = false;

  /** @throws {StoreError} `refused` for an invalid address */
  constructor(options: PostgresOptions, { timing, max, check }: ConnectionsParts) {
    this.#options = options;
    this.#address = parseAddress(options.url);
    this.#timing = timing;
    this.#max = max;
    this.#check = check;
  }

  /** Runs what may be done twice: again until it is done, or hopeless. */
  async read(statement: Statement, signal?: AbortSignal): Promise<Row[]> {
    for (let attempt = 0; ; attempt++) {
      signal?.throwIfAborted();
      const connection = await this.#acquire();
      try {
        return await connection.query(statement, this.#timing.callMsMax);
      } catch (error) {
        signal?.throwIfAborted();
        if (this.#closed) throw closedError();
        const verdict = judge(error);
        if (verdict.kind === 'final') throw storeErrorOf(error, verdict.code);
        this.#downSinceMs ??= Date.now();
        if (Date.now() >= this.#giveUpMs()) throw storeErrorOf(error, 'unavailable');
      } finally {
        this.#release(connection);
      }
      await this.#pause(attempt);
    }
  }

  /** Runs something on a connection of its own for a moment. Throws what `use` throws. */
  async with<T>(use: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await this.#acquire();
    try {
      return await use(connection);
    } finally {
      this.#release(connection);
    }
  }

  /** A connection that stays out of the pool. The caller closes it. */
  async dedicated(): Promise<Connection> {
    const connection = await this.#connectPatiently();
    connection.client.on('end', () => this.#open.delete(connection));
    return connection;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const connection of this.#open) connection.close();
    for (const wake of this.#waiting.splice(0)) wake();
  }

  async #acquire(): Promise<Connection> {
    while (this.#inUse >= this.#max && !this.#closed) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    if (this.#closed) throw closedError();
    this.#inUse += 1;
    try {
      for (let kept = this.#idle.pop(); kept !== undefined; kept = this.#idle.pop()) {
        if (!kept.isBroken) return kept;
        this.#open.delete(kept);
      }
      return await this.#connectPatiently();
    } catch (error) {
      this.#freed();
      throw error;
    }
  }

  #release(connection: Connection): void {
    if (connection.isBroken) this.#open.delete(connection);
    else this.#idle.push(connection);
    this.#freed();
  }

  #freed(): void {
    this.#inUse -= 1;
    this.#waiting.shift()?.();
  }

  /** When a call that begins now should give up: soon, where the database has been away for long. */
  #giveUpMs(): number {
    const nowMs = Date.now();
    return Math.max((this.#downSinceMs ?? nowMs) + this.#timing.patienceMs, nowMs + this.#timing.hurriedMs);
  }

  async #connectPatiently(): Promise<Connection> {
    const giveUpMs = this.#giveUpMs();
    for (let attempt = 0; ; attempt++) {
      if (this.#closed) throw closedError();
      try {
        const connection = await this.#connect();
        this.#downSinceMs = undefined;
        return connection;
      } catch (error) {
        if (this.#closed) throw closedError();
        if (error instanceof StoreError && error.code !== 'unavailable') throw error;
        this.#downSinceMs ??= Date.now();
        if (Date.now() >= giveUpMs) throw this.#unreachable(error);
      }
      await this.#pause(attempt);
    }
  }

  #unreachable(error: unknown): StoreError {
    const text = error instanceof Error ? error.message || String(error) : String(error);
    const where = shown(this.#options.url);
    return new StoreError('unavailable', `${where} cannot be reached: ${text}`, { cause: error });
  }

  /** Connects to the first host that can be written, beginning with the one that could last. */
  async #connect(): Promise<Connection> {
    const { hosts } = this.#address;
    let failure: unknown;
    for (let step = 0; step < hosts.length; step++) {
      const index = (this.#host + step) % hosts.length;
      const host = hosts[index];
      if (host === undefined) continue;
      try {
        const connection = await this.#connectTo(host);
        this.#host = index;
        this.#open.add(connection);
        return connection;
      } catch (error) {
        failure = error;
      }
    }
    const verdict = judge(failure);
    throw verdict.kind === 'final' ? storeErrorOf(failure, verdict.code) : failure;
  }

  async #connectTo({ host, port }: PostgresHost): Promise<Connection> {
    const { user, password, database, sslMode } = this.#address;
    const client = new pg.Client({
      ...(host !== undefined && { host }),
      ...(port !== undefined && { port }),
      ...(user !== undefined && { user }),
      ...(database !== undefined && { database }),
      password: this.#options.password ?? password,
      ssl: sslOf(host, sslMode, this.#options),
      connectionTimeoutMillis: this.#timing.connectMsMax,
      keepAlive: true,
      application_name: 'ilk',
      types,
    });
    const connection = new Connection(client);
    try {
      await client.connect();
      const run = (statement: Statement) => connection.query(statement, this.#timing.callMsMax);
      await requirePrimary(run);
      await this.#check(run);
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  async #pause(attempt: number): Promise<void> {
    const { retryMsMin, retryMsMax } = this.#timing;
    await sleep(Math.min(retryMsMin * 2 ** Math.min(attempt, 20), retryMsMax));
  }
}

/** A standby may be behind, and cannot be written. */
async function requirePrimary(run: (statement: Statement) => Promise<Row[]>): Promise<void> {
  const text = "SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on'";
  const [row] = await run({ text, values: [] });
  if (row?.[0] === true) throw new Error('the database is read-only: a standby, or set to be so');
}

/** Without TLS only over a local socket, or if configured so. */
function sslOf(host: string | undefined, mode: SslMode | undefined, { tls }: PostgresOptions) {
  const isLocal = host === undefined || /^(localhost|127\..*|::1|\/.*)$/.test(host);
  if (mode === 'disable' || (mode === undefined && tls === undefined && isLocal)) return false;
  return {
    rejectUnauthorized: mode !== 'require' || tls?.caPem !== undefined,
    ...(tls?.caPem !== undefined && { ca: tls.caPem }),
    ...(tls?.certPem !== undefined && { cert: tls.certPem }),
    ...(tls?.keyPem !== undefined && { key: tls.keyPem }),
  };
}
