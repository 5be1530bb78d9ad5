import { setTimeout as sleep } from 'node:timers/promises';
import { Client, credentials, Metadata } from '@grpc/grpc-js';
import { type TxnRequest, txnRpc, watchRpc } from '../../src/storage/etcd/messages.ts';
import { pacedDelays } from '../http/event-delays.ts';

/** A gRPC client with default options; returns the revision of a write. */
export function bareClient(url: string): Client {
  const options = { 'grpc.use_local_subchannel_pool': 1 };
  return new Client(new URL(url).host, credentials.createInsecure(), options);
}

function write(client: Client, request: TxnRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(
      txnRpc.path,
      txnRpc.encode,
      txnRpc.decode,
      request,
      new Metadata(),
      (error, answer) => (error === null ? resolve(answer?.revision ?? 0) : reject(error)),
    );
  });
}

interface BareCreates {
  readonly creates: number;
  readonly inFlight: number;
  readonly bytes: number;
}

/** Creates as etcd itself takes them, by gRPC and nothing else: as many at once, of as many bytes. */
export async function bareCreates(
  client: Client,
  { creates, inFlight, bytes }: BareCreates,
): Promise<number> {
  const value = Buffer.alloc(bytes, 'x');
  const series = Math.random().toString(36).slice(2);
  const started = performance.now();
  let next = 0;
  const worker = async () => {
    while (next < creates) {
      const key = Buffer.from(`/bare/${series}/${next++}`);
      await write(client, { key, modRevision: 0, value });
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  return creates / ((performance.now() - started) / 1000);
}

/** From the start of a write by gRPC until a watch of etcd itself has it. */
export async function bareDelays(url: string): Promise<number[]> {
  const [writer, reader] = [bareClient(url), bareClient(url)];
  const { path, encode, decode } = watchRpc;
  const stream = reader.makeBidiStreamRequest(path, encode, decode, new Metadata());
  stream.on('error', () => {});
  const key = Buffer.from(`/bare/watched/${Math.random()}`);
  stream.write({ create: { key, rangeEnd: Buffer.from('/bare/watched0'), startRevision: 0 } });
  await sleep(200);
  let modRevision = 0;
  const delaysMs = await pacedDelays(
    async (step) => {
      const value = Buffer.from(`${step} ${'x'.repeat(1_000)}`);
      modRevision = await write(writer, { key, modRevision, value });
    },
    (tell) => {
      stream.on('data', ({ events }: ReturnType<typeof decode>) => {
        for (const { keyValue } of events) tell(Number.parseInt(Buffer.from(keyValue.value).toString(), 10));
      });
    },
  );
  stream.cancel();
  writer.close();
  reader.close();
  return delaysMs;
}
