/**
 * The messages of etcd's API that are used here, and how they look on the wire.
 * Source of the names and numbers: https://github.com/etcd-io/etcd/blob/v3.5.21/api/etcdserverpb/rpc.proto
 */
import {
  boolField,
  bytesField,
  intField,
  messageField,
  type ReadField,
  readInner,
  readInt,
  rpc,
  textField,
  type Writer,
} from '../../grpc/index.ts';

/** mvccpb.KeyValue. The value is a view of the message's bytes. */
export interface KeyValue {
  key: Uint8Array;
  value: Uint8Array;
  modRevision: number;
  /** How many times the key was written since it was made: 1 for a new one. */
  version: number;
}

const nothing = new Uint8Array(0);

const keyValueField: ReadField<KeyValue> = (keyValue, field, reader) => {
  if (field === 1) keyValue.key = reader.bytes();
  else if (field === 3) keyValue.modRevision = readInt(reader);
  else if (field === 4) keyValue.version = readInt(reader);
  else if (field === 5) keyValue.value = reader.bytes();
  else return false;
  return true;
};

const emptyKeyValue = (): KeyValue => ({ key: nothing, value: nothing, modRevision: 0, version: 0 });

/** Of the ResponseHeader only the revision is of use. */
interface Headed {
  /** The revision of the store when the answer was made. */
  revision: number;
}

const headerField: ReadField<Headed> = (message, field, reader) => {
  if (field !== 3) return false;
  message.revision = readInt(reader);
  return true;
};

/** Every answer has its header as field 1. */
function headed<T extends Headed>(read: ReadField<T>): ReadField<T> {
  return (message, field, reader) => {
    if (field !== 1) return read(message, field, reader);
    readInner<Headed>(reader, message, headerField);
    return true;
  };
}

export interface RangeRequest {
  readonly key: Uint8Array;
  /** Left out for a single key. */
  readonly rangeEnd?: Uint8Array;
  readonly limit?: number;
  /** 0 reads the present. */
  readonly revision?: number;
  readonly countOnly?: boolean;
}

function writeRange(writer: Writer, request: RangeRequest): void {
  bytesField(writer, 1, request.key);
  bytesField(writer, 2, request.rangeEnd ?? nothing);
  intField(writer, 3, request.limit ?? 0);
  intField(writer, 4, request.revision ?? 0);
  boolField(writer, 9, request.countOnly ?? false);
}

export interface RangeResponse extends Headed {
  readonly keyValues: KeyValue[];
  more: boolean;
  count: number;
}

const rangeResponseField = headed<RangeResponse>((response, field, reader) => {
  if (field === 2) response.keyValues.push(readInner(reader, emptyKeyValue(), keyValueField));
  else if (field === 3) response.more = reader.bool();
  else if (field === 4) response.count = readInt(reader);
  else return false;
  return true;
});

const emptyRange = (): RangeResponse => ({ revision: 0, keyValues: [], more: false, count: 0 });

/** One conditional write: put or delete if the key has this modRevision, otherwise get. */
export interface TxnRequest {
  readonly key: Uint8Array;
  /** 0 where the key must be absent. */
  readonly modRevision: number;
  /** Null deletes. */
  readonly value: Uint8Array | null;
  /** Other keys that must have these modRevisions. */
  readonly preconditions?: readonly Condition[] | undefined;
}

type Condition = Pick<TxnRequest, 'key' | 'modRevision'>;

const compareTargetMod = 2;

/**
 * Compare{result: EQUAL, target: MOD, key, mod_revision}; the zero that means an absent key is written out, as it is
 * one of several that could stand there.
 */
function writeCompare(writer: Writer, { key, modRevision }: Condition): void {
  intField(writer, 2, compareTargetMod);
  bytesField(writer, 3, key);
  writer.uint32(6 << 3).int64(modRevision);
}

function writeTxn(writer: Writer, request: TxnRequest): void {
  const { key, value, preconditions = [] } = request;
  for (const condition of [request, ...preconditions])
    messageField(writer, 1, (compare) => writeCompare(compare, condition));
  messageField(writer, 2, (success) => {
    messageField(success, value === null ? 3 : 2, (write) => {
      bytesField(write, 1, key);
      if (value !== null) bytesField(write, 2, value);
    });
  });
  messageField(writer, 3, (failure) => messageField(failure, 1, (range) => bytesField(range, 1, key)));
}

export interface TxnResponse extends Headed {
  succeeded: boolean;
  /** The current record, if the condition failed. */
  current: KeyValue | undefined;
}

const txnResponseField = headed<TxnResponse>((response, field, reader) => {
  if (field === 2) response.succeeded = reader.bool();
  else if (field === 3) readInner(reader, response, responseOpField);
  else return false;
  return true;
});

const responseOpField: ReadField<TxnResponse> = (response, field, reader) => {
  if (field !== 1) return false;
  response.current = readInner(reader, emptyRange(), rangeResponseField).keyValues[0];
  return true;
};

interface CompactionRequest {
  readonly revision: number;
  /** Waits until the room is free. */
  readonly physical: boolean;
}

const headerOnly = headed<Headed>(() => false);

/** A WatchRequest: exactly one of three. */
export type WatchRequest = { readonly create: WatchCreate } | 'progress';

interface WatchCreate {
  readonly key: Uint8Array;
  readonly rangeEnd: Uint8Array;
  readonly startRevision: number;
}

/** With previous values and in pieces that a client can take. */
function writeWatch(writer: Writer, request: WatchRequest): void {
  if (request === 'progress') {
    messageField(writer, 3, () => {});
    return;
  }
  const { key, rangeEnd, startRevision } = request.create;
  messageField(writer, 1, (create) => {
    bytesField(create, 1, key);
    bytesField(create, 2, rangeEnd);
    intField(create, 3, startRevision);
    boolField(create, 6, true);
    boolField(create, 8, true);
  });
}

/** mvccpb.Event */
export interface WatchEvent {
  deleted: boolean;
  readonly keyValue: KeyValue;
  previous: KeyValue | undefined;
}

const eventField: ReadField<WatchEvent> = (event, field, reader) => {
  if (field === 1) event.deleted = reader.int32() === 1;
  else if (field === 2) readInner(reader, event.keyValue, keyValueField);
  else if (field === 3) event.previous = readInner(reader, emptyKeyValue(), keyValueField);
  else return false;
  return true;
};

export interface WatchResponse extends Headed {
  /** -1 answers a request for progress. */
  watchId: number;
  created: boolean;
  canceled: boolean;
  /** Above 0 where the watch was cancelled because its past is compacted. */
  compactRevision: number;
  cancelReason: string;
  /** True where the rest of the same answer follows. */
  fragment: boolean;
  readonly events: WatchEvent[];
}

const watchResponseField = headed<WatchResponse>((response, field, reader) => {
  if (field === 2) response.watchId = readInt(reader);
  else if (field === 3) response.created = reader.bool();
  else if (field === 4) response.canceled = reader.bool();
  else if (field === 5) response.compactRevision = readInt(reader);
  else if (field === 6) response.cancelReason = reader.string();
  else if (field === 7) response.fragment = reader.bool();
  else if (field === 11) response.events.push(readInner(reader, emptyEvent(), eventField));
  else return false;
  return true;
});

const emptyEvent = (): WatchEvent => ({ deleted: false, keyValue: emptyKeyValue(), previous: undefined });

const emptyWatchResponse = (): WatchResponse => ({
  revision: 0,
  watchId: 0,
  created: false,
  canceled: false,
  compactRevision: 0,
  cancelReason: '',
  fragment: false,
  events: [],
});

export interface StatusResponse extends Headed {
  /** `3.5.21` */
  version: string;
  /** 0 where the member knows of no leader. */
  leader: string;
  /** Alarms, in words. */
  readonly errors: string[];
}

const statusField = headed<StatusResponse>((response, field, reader) => {
  if (field === 2) response.version = reader.string();
  else if (field === 4) response.leader = String(reader.uint64());
  else if (field === 8) response.errors.push(reader.string());
  else return false;
  return true;
});

interface AuthenticateRequest {
  readonly name: string;
  readonly password: string;
}

interface AuthenticateResponse extends Headed {
  token: string;
}

const authenticateField = headed<AuthenticateResponse>((response, field, reader) => {
  if (field !== 2) return false;
  response.token = reader.string();
  return true;
});

export const rangeRpc = rpc('/etcdserverpb.KV/Range', writeRange, {
  empty: emptyRange,
  read: rangeResponseField,
});

export const txnRpc = rpc<TxnRequest, TxnResponse>('/etcdserverpb.KV/Txn', writeTxn, {
  empty: () => ({ revision: 0, succeeded: false, current: undefined }),
  read: txnResponseField,
});

export const compactRpc = rpc<CompactionRequest, Headed>(
  '/etcdserverpb.KV/Compact',
  (writer, { revision, physical }) => {
    intField(writer, 1, revision);
    boolField(writer, 2, physical);
  },
  { empty: () => ({ revision: 0 }), read: headerOnly },
);

export const watchRpc = rpc<WatchRequest, WatchResponse>('/etcdserverpb.Watch/Watch', writeWatch, {
  empty: emptyWatchResponse,
  read: watchResponseField,
});

export const statusRpc = rpc<null, StatusResponse>('/etcdserverpb.Maintenance/Status', () => {}, {
  empty: () => ({ revision: 0, version: '', leader: '0', errors: [] }),
  read: statusField,
});

export const authenticateRpc = rpc<AuthenticateRequest, AuthenticateResponse>(
  '/etcdserverpb.Auth/Authenticate',
  (writer, { name, password }) => {
    textField(writer, 1, name);
    textField(writer, 2, password);
  },
  { empty: () => ({ revision: 0, token: '' }), read: authenticateField },
);
