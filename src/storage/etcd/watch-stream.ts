import type { ClientDuplexStream } from '@grpc/grpc-js';
import { isCallFailure } from '../../grpc/index.ts';
import { contains, type SortRange, sortKey, sortRange } from '../key-order.ts';
import { watchMessage } from '../log-watch.ts';
import { ownBytes } from '../own-bytes.ts';
import type { RemoteStream, StreamOptions } from '../remote/remote-log.ts';
import {
  type Revision,
  StoreError,
  type StoredRecord,
  type StoreEvent,
  type WatchMessage,
} from '../store.ts';
import type { EtcdClient, OpenStream } from './etcd-client.ts';
import { judge, storeErrorOf } from './etcd-error.ts';
import { everyKey, type KeyMap } from './key-map.ts';
import type { KeyValue, WatchEvent, WatchRequest, WatchResponse } from './messages.ts';
import { tellsTrueProgress } from './server-version.ts';

interface WatchStreamOptions extends StreamOptions {
  readonly client: EtcdClient;
  readonly keys: KeyMap;
}

/**
 * One watch at one member of etcd, from a revision on, until it breaks. Each message has its progress.
 *
 * If etcd's progress notifications are reliable, it watches only the range and requests them. Otherwise it watches
 * every key of etcd: each revision is then an event, so the last event is the progress of the watch, and a
 * missing revision is a change that etcd lost. Events outside the range are dropped here.
 */
export class WatchStream implements RemoteStream {
  /** Whether the member's word on progress is good. */
  readonly tellsTrueProgress: boolean;
  readonly #options: WatchStreamOptions;
  readonly #member: OpenStream;
  readonly #stream: ClientDuplexStream<WatchRequest, WatchResponse>;
  readonly #wanted: SortRange | undefined;
  #created = false;
  /** Where the watch at the member begins. */
  #start: Revision;
  #progressDue = false;
  #seen: Revision;
  /** The revision of the last change; more changes of it may follow. */
  #received: Revision;
  /** Changes of a revision that may be incomplete. */
  #unfinished: StoreEvent[] = [];

  /**
   * Opens the stream at any member that responds.
   *
   * @throws {StoreError} where none does
   */
  static async open(options: WatchStreamOptions): Promise<WatchStream> {
    const member = await options.client.openStream(options.signal);
    return new WatchStream(options, member);
  }

  private constructor(options: WatchStreamOptions, member: OpenStream) {
    this.#options = options;
    this.#member = member;
    this.#stream = member.stream;
    this.tellsTrueProgress = tellsTrueProgress(member.status.version);
    this.#wanted = options.range && sortRange(options.range);
    this.#seen = options.after;
    this.#received = options.after;
    // A stream error without a reader must not end the process; the next read throws it.
    this.#stream.on('error', () => {});
    options.signal.addEventListener('abort', this.#onAbort, { once: true });
    if (options.signal.aborted) this.cancel();
    // Since 3.5.22 and 3.6.1, etcd reports no progress of a watch that begins in the future: so it begins
    // at a change that has happened, which is dropped here.
    this.#start = this.tellsTrueProgress ? Math.max(options.after, 1) : options.after + 1;
    this.#create();
  }

  #create(): void {
    this.#stream.write({ create: { ...this.#watched(), startRevision: this.#start } });
  }

  /** Asks how far the watch is. There may be no answer: a watch that is behind does not get one. */
  requestProgress(): void {
    if (this.#created) this.#stream.write('progress');
    else this.#progressDue = true;
  }

  cancel(): void {
    this.#options.signal.removeEventListener('abort', this.#onAbort);
    this.#stream.cancel();
  }

  /**
   * The messages, until the stream breaks.
   *
   * @throws {StoreError} `compacted` where changes are missing, `refused` where the user may not watch, `unavailable`
   */
  async *messages(): AsyncGenerator<WatchMessage, undefined, undefined> {
    try {
      for await (const response of this.#stream as AsyncIterable<WatchResponse>) {
        const message = this.#take(response);
        if (message !== undefined) yield message;
      }
      throw new StoreError('unavailable', 'etcd ended the watch');
    } catch (error) {
      throw this.#translate(error);
    } finally {
      this.cancel();
    }
  }

  /**
   * Passes messages on immediately, for a reader that never lags: without the buffering of {@link messages}
   * for slow readers. Rejects, as that does, when the stream breaks.
   */
  follow(take: (message: WatchMessage) => void): Promise<never> {
    return new Promise((_, reject) => {
      const end = (error: unknown) => {
        this.#stream.off('data', onData);
        this.cancel();
        reject(this.#translate(error));
      };
      const onData = (response: WatchResponse) => {
        try {
          const message = this.#take(response);
          if (message !== undefined) take(message);
        } catch (error) {
          end(error);
        }
      };
      this.#stream.once('error', end);
      this.#stream.once('end', () => end(new StoreError('unavailable', 'etcd ended the watch')));
      this.#stream.on('data', onData);
    });
  }

  readonly #onAbort = (): void => this.cancel();

  #watched() {
    const { range, keys } = this.#options;
    if (!this.tellsTrueProgress) return everyKey;
    return range === undefined ? keys.all : keys.rangeToEtcd(range);
  }

  #translate(error: unknown): unknown {
    if (!isCallFailure(error)) return error;
    this.#member.failed();
    const verdict = judge(error);
    if (verdict.kind === 'unauthenticated') this.#member.forgetToken();
    return storeErrorOf(error, verdict.kind === 'final' ? verdict.code : 'unavailable');
  }

  #take(response: WatchResponse): WatchMessage | undefined {
    if (response.canceled && this.#beganTooEarly(response)) return undefined;
    if (response.canceled) throw this.#cancelled(response);
    if (response.created) {
      this.#created = true;
      if (this.#progressDue) this.#stream.write('progress');
      // A sign of life: a member may keep silent about progress until the first change.
      return watchMessage([], this.#seen);
    }
    if (response.events.length > 0) return this.#takeEvents(response);
    // An answer that is not believed is still a sign of life.
    if (this.tellsTrueProgress && this.#unfinished.length === 0)
      this.#seen = Math.max(this.#seen, response.revision);
    return watchMessage([], this.#seen);
  }

  /** The revision before the first wanted one was compacted: the watch then begins at the wanted one. */
  #beganTooEarly({ compactRevision }: WatchResponse): boolean {
    const { after } = this.#options;
    if (this.#start !== after || compactRevision !== after + 1) return false;
    this.#start = after + 1;
    this.#create();
    return true;
  }

  #cancelled({ compactRevision, cancelReason }: WatchResponse): StoreError {
    const after = this.#seen;
    if (compactRevision > 0) {
      const text = `the changes after revision ${after} were compacted`;
      return new StoreError('compacted', text, { revision: compactRevision });
    }
    const reason = cancelReason.replace(/^rpc error: code = \w+ desc = /, '');
    const verdict = judge({ code: 0, details: reason });
    if (verdict.kind === 'unauthenticated') this.#member.forgetToken();
    return new StoreError(verdict.kind === 'final' ? verdict.code : 'unavailable', this.#reasonText(reason));
  }

  #reasonText(reason: string): string {
    if (this.tellsTrueProgress || reason !== 'etcdserver: permission denied')
      return `etcd ended the watch: ${reason}`;
    return `${reason}: with an etcd before 3.4.31 or 3.5.13 the user must be allowed to read every key`;
  }

  #takeEvents({ events, fragment }: WatchResponse): WatchMessage | undefined {
    const last = events.at(-1)?.keyValue.modRevision ?? 0;
    const taken = this.#unfinished;
    for (const event of events) {
      const revision = event.keyValue.modRevision;
      // Old servers repeat events when they fall behind.
      if (revision <= this.#seen) continue;
      if (!this.tellsTrueProgress && revision > this.#received + 1)
        throw lostChanges(this.#received, revision);
      this.#received = revision;
      const made = this.#eventOf(event);
      if (made !== undefined) taken.push(made);
    }
    const complete = fragment ? last - 1 : last;
    this.#unfinished = taken.filter(({ revision }) => revision > complete);
    if (complete <= this.#seen) return undefined;
    this.#seen = complete;
    return watchMessage(fragment ? taken.filter(({ revision }) => revision <= complete) : taken, complete);
  }

  /** Undefined for a key that is not ours or not in the range. */
  #eventOf({ deleted, keyValue, previous }: WatchEvent): StoreEvent | undefined {
    const key = this.#options.keys.fromEtcd(keyValue.key);
    if (key === undefined) return undefined;
    if (this.#wanted !== undefined && !contains(this.#wanted, sortKey(key))) return undefined;
    const revision = keyValue.modRevision;
    if (previous === undefined && (deleted || keyValue.version > 1)) throw lostPrevious(revision);
    return {
      type: deleted ? 'delete' : 'put',
      key,
      revision,
      value: deleted ? undefined : ownBytes(keyValue.value),
      previous: previous && recordOf(key, previous),
    };
  }
}

/** A record of etcd under the key that the store knows it by. */
export const recordOf = (key: string, { value, modRevision }: KeyValue): StoredRecord => ({
  key,
  value: ownBytes(value),
  modRevision,
});

function lostChanges(seen: Revision, next: Revision): StoreError {
  const text = `the changes after revision ${seen} are missing: etcd goes on with ${next}`;
  return new StoreError('compacted', text, { revision: next });
}

/** etcd looks for what a change replaced when it sends the change: it may be compacted by then. */
function lostPrevious(revision: Revision): StoreError {
  const text = `what the change of revision ${revision} replaced was compacted`;
  return new StoreError('compacted', text, { revision: revision + 1 });
}
