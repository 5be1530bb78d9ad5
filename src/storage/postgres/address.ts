import { StoreError } from '../store.ts';

/** One host of a database. */
export interface PostgresHost {
  /** Undefined if libpq's variables, or its defaults, set it. */
  readonly host: string | undefined;
  readonly port: number | undefined;
}

/** libpq's `sslmode`; undefined if it is not set. */
export type SslMode = 'disable' | 'require' | 'verify-full';

export interface PostgresAddress {
  readonly hosts: readonly PostgresHost[];
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly database: string | undefined;
  readonly sslMode: SslMode | undefined;
}

const form = /^postgres(?:ql)?:\/\/(?:([^:@/?]*)(?::([^@/?]*))?@)?([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/;
const hostForm = /^(\[[0-9a-f:.]+\]|[^:[\]]*)(?::([0-9]+))?$/i;

/** @throws {StoreError} `refused` if it is not an address of PostgreSQL */
export function parseAddress(url: string): PostgresAddress {
  const [found, user, password, hosts = '', database, query = ''] = form.exec(url) ?? [];
  if (found === undefined) throw noAddress(url);
  const parameters = new URLSearchParams(query);
  return {
    hosts: hosts.split(',').map((text) => hostOf(text, url)),
    user: textOf(user),
    password: textOf(password),
    database: textOf(database),
    sslMode: sslModeOf(parameters.get('sslmode'), url),
  };
}

const textOf = (text: string | undefined): string | undefined =>
  text === undefined || text === '' ? undefined : decodeURIComponent(text);

function hostOf(text: string, url: string): PostgresHost {
  const [found, host, port] = hostForm.exec(text) ?? [];
  if (found === undefined) throw noAddress(url);
  const name = textOf(host)?.replace(/^\[|\]$/g, '');
  return { host: name, port: port === undefined ? undefined : Number(port) };
}

function sslModeOf(text: string | null, url: string): SslMode | undefined {
  if (text === null) return undefined;
  if (text === 'verify-ca') return 'verify-full';
  if (text === 'disable' || text === 'require' || text === 'verify-full') return text;
  throw new StoreError('refused', `sslmode=${text} in ${shown(url)}: want disable, require or verify-full`);
}

const noAddress = (url: string): StoreError =>
  new StoreError(
    'refused',
    `${shown(url)} is no address of PostgreSQL: want postgres://user@host:5432/database`,
  );

/** The address without its password, for errors. */
export const shown = (url: string): string => url.replace(/(\/\/[^:@/]*):[^@/]*@/, '$1@');
