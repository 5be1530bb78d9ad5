import pg from 'pg';

/** One statement that inserts many rows; `$1` has their keys, `$2` their values. */
type InsertStatement = string;

interface GroupedInsertsOptions {
  readonly url: string;
  readonly statement: InsertStatement;
  readonly connections: number;
}

interface Waiting {
  readonly key: Buffer;
  readonly value: Buffer;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Inserts as a careful client of PostgreSQL makes them: what waits while connections are busy shares a statement. */
export class GroupedInserts {
  readonly #clients: readonly pg.Client[];
  readonly #idle: pg.Client[];
  readonly #statement: InsertStatement;
  #waiting: Waiting[] = [];
  #scheduled = false;

  private constructor(clients: readonly pg.Client[], statement: InsertStatement) {
    this.#clients = clients;
    this.#idle = [...clients];
    this.#statement = statement;
  }

  static async open({ url, statement, connections }: GroupedInsertsOptions): Promise<GroupedInserts> {
    const clients = Array.from({ length: connections }, () => new pg.Client({ connectionString: url }));
    for (const client of clients) {
      // A query that was under way fails too, and tells.
      client.on('error', () => {});
      await client.connect();
    }
    return new GroupedInserts(clients, statement);
  }

  insert(key: Buffer, value: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ key, value, resolve, reject });
      if (this.#scheduled) return;
      this.#scheduled = true;
      setImmediate(() => {
        this.#scheduled = false;
        this.#start();
      });
    });
  }

  async close(): Promise<void> {
    for (const client of this.#clients) await client.end();
  }

  #start(): void {
    while (this.#waiting.length > 0) {
      const client = this.#idle.pop();
      if (client === undefined) return;
      const batch = this.#waiting;
      this.#waiting = [];
      void this.#send(client, batch);
    }
  }

  async #send(client: pg.Client, batch: readonly Waiting[]): Promise<void> {
    try {
      await client.query(this.#statement, [batch.map(({ key }) => key), batch.map(({ value }) => value)]);
      for (const { resolve } of batch) resolve();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    this.#idle.push(client);
    this.#start();
  }
}

interface Inserts {
  readonly rows: number;
  readonly inFlight: number;
  readonly bytes: number;
}

/** Inserts rows through several clients in turns, with a number in flight; returns the rate per second. */
export async function insertRate(
  clients: readonly GroupedInserts[],
  { rows, inFlight, bytes }: Inserts,
): Promise<number> {
  const value = Buffer.alloc(bytes, 'x');
  const series = Math.random().toString(36).slice(2);
  const started = performance.now();
  let next = 0;
  const worker = async (_: unknown, index: number) => {
    const client = clients[index % clients.length];
    while (next < rows) await client?.insert(Buffer.from(`/bare/${series}/${next++}`), value);
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  return rows / ((performance.now() - started) / 1000);
}
