export { ConnectionCounts } from './connection-counts.ts';
export { type Listening, type ListenOptions, listen } from './listen.ts';
