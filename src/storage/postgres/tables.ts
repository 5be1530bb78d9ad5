/** The names of a store's tables and functions, quoted, and of the channel on which its changes are announced. */
export interface Tables {
  readonly schema: string;
  readonly meta: string;
  readonly counter: string;
  readonly log: string;
  readonly latest: string;
  readonly turns: string;
  readonly commitBatch: string;
  readonly objects: string;
  readonly channel: string;
}

const identifierBytesMax = 63;

/** https://www.postgresql.org/docs/current/sql-syntax-lexical.html#SQL-SYNTAX-IDENTIFIERS */
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Longer names would be cut by PostgreSQL, and then those of two stores could be the same. */
export const isName = (name: string): boolean =>
  !name.includes('\0') && Buffer.byteLength(name) <= identifierBytesMax - 20;

export function tablesOf(schema: string, prefix: string): Tables {
  const name = (table: string) => `${quoted(schema)}.${quoted(prefix + table)}`;
  return {
    schema: quoted(schema),
    meta: name('meta'),
    counter: name('counter'),
    log: name('log'),
    latest: name('latest'),
    turns: name('turns'),
    commitBatch: name('commit_batch'),
    objects: name('objects'),
    channel: `ilk.${schema}.${prefix}`.slice(0, identifierBytesMax),
  };
}

/** A text as SQL writes it. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
