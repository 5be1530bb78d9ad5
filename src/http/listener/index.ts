export { ConnectionCounts } from './connection-counts.ts';
export type { ListenTls, NamedPair, TlsMaterial } from './tls-options.ts';
export { type Listening, type ListenOptions, listen } from './listen.ts';
