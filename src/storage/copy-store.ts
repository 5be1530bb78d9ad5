import { prefixRange, type Revision, type Store, StoreError, type StoredRecord } from './store.ts';

/** The progress of a copy. */
export interface CopyProgress {
  readonly step: 'raising revisions' | 'copying' | 'verifying';
  readonly done: number;
  readonly total: number;
}

export interface CopyOptions {
  /** The prefix of every key. */
  readonly root: string;
  /**
   * If true (the default), the revisions of the copy continue above those of the original, so a client never sees a
   * revision with other content.
   */
  readonly raiseRevisions?: boolean;
  /** If true, the target is made equal to the original; otherwise a target with other records is refused. */
  readonly overwrite?: boolean;
  readonly onProgress?: (progress: CopyProgress) => void;
}

/** What a copy has done. */
export interface CopyResult {
  /** Records in both stores now. */
  readonly records: number;
  /** How many of them were there already, because a copy that was broken off had brought them. */
  readonly alreadyThere: number;
  /** The moment of the original that was copied. */
  readonly revision: Revision;
  /** The revision of the copy. */
  readonly targetRevision: Revision;
}

/** Writes under way at once. */
const writesMax = 64;
const pageRecords = 1_000;

/**
 * Copies all records of a store into another one, and compares the two at the end. It can be interrupted and run again:
 * existing records are not written twice. No other process may write to either store during the copy.
 *
 * @throws {StoreError} `refused` where the target has something else, or where the two differ in the end
 */
export async function copyStore(from: Store, to: Store, options: CopyOptions): Promise<CopyResult> {
  const copy = new StoreCopy(from, to, options);
  return copy.run();
}

/** Keys that are written only to raise revisions, and taken away again. */
const raiseFolder = '.ilk-migration/';

class StoreCopy {
  readonly #from: Store;
  readonly #to: Store;
  readonly #options: CopyOptions;

  constructor(from: Store, to: Store, options: CopyOptions) {
    this.#from = from;
    this.#to = to;
    this.#options = options;
  }

  async run(): Promise<CopyResult> {
    const { root, raiseRevisions = true } = this.#options;
    const revision = await this.#from.revision();
    const wanted = await readAll(this.#from, root, revision);
    const present = await readAll(this.#to, root, await this.#to.revision());
    const raising = takeRaisingKeys(present, `${root}${raiseFolder}`);
    const alreadyThere = this.#checkTarget(wanted, present);
    if (raiseRevisions) await this.#raise(revision, raising);
    await this.#remove([...raising.values(), ...extra(present, wanted)]);
    await this.#write(wanted, present);
    await this.#verify(wanted, revision);
    const targetRevision = await this.#to.revision();
    return { records: wanted.size, alreadyThere, revision, targetRevision };
  }

  /** The number of records that are copied already. @throws {StoreError} for other records in the target */
  #checkTarget(wanted: Records, present: Records): number {
    const others = [...present.values()].filter(
      ({ key, value }) => !sameBytes(wanted.get(key)?.value, value),
    );
    if (others.length > 0 && this.#options.overwrite !== true) {
      const text = `the target is not empty: it has ${others.length} other records, ${others[0]?.key} among them`;
      throw new StoreError('refused', text);
    }
    return present.size - others.length;
  }

  /** Each write is one revision, so as many are made as are missing, of as many keys as can be written at once. */
  async #raise(revision: Revision, raising: Records): Promise<void> {
    const first = await this.#to.revision();
    const total = revision - first;
    let done = 0;
    const chain = async (index: number) => {
      const key = `${this.#options.root}${raiseFolder}${index}`;
      let expect = raising.get(key)?.modRevision ?? 0;
      while (done < total) {
        done += 1;
        expect = await this.#commit({ key, value: new Uint8Array(1), expect });
        raising.set(key, { key, value: new Uint8Array(1), modRevision: expect });
        this.#tell('raising revisions', done, total);
      }
    };
    await Promise.all(Array.from({ length: writesMax }, (_, index) => chain(index)));
  }

  async #remove(records: readonly StoredRecord[]): Promise<void> {
    await inParallel(records, ({ key, modRevision }) =>
      this.#commit({ key, value: null, expect: modRevision }),
    );
  }

  async #write(wanted: Records, present: Records): Promise<void> {
    let done = 0;
    await inParallel([...wanted.values()], async ({ key, value }) => {
      const there = present.get(key);
      if (!sameBytes(there?.value, value)) {
        await this.#commit({ key, value, expect: there?.modRevision ?? 0 });
      }
      done += 1;
      this.#tell('copying', done, wanted.size);
    });
  }

  async #commit(commit: Parameters<Store['commit']>[0]): Promise<Revision> {
    const result = await this.#to.commit(commit);
    if (result.ok) return result.revision;
    throw new StoreError('refused', `somebody else writes to the target: ${commit.key} has changed`);
  }

  async #verify(wanted: Records, revision: Revision): Promise<void> {
    const { root } = this.#options;
    this.#tell('verifying', 0, wanted.size);
    const copied = await readAll(this.#to, root, await this.#to.revision());
    const original = await readAll(this.#from, root, await this.#from.revision());
    for (const [key, record] of original) {
      if (record.modRevision <= revision) continue;
      throw new StoreError('refused', `the original has changed meanwhile: ${key}; run it again`);
    }
    const different = [...wanted.keys()].find(
      (key) => !sameBytes(copied.get(key)?.value, wanted.get(key)?.value),
    );
    const count = copied.size;
    if (different !== undefined || count !== wanted.size || original.size !== wanted.size) {
      throw new StoreError(
        'refused',
        `the copy differs from the original: ${different ?? `${count} records`}`,
      );
    }
    this.#tell('verifying', wanted.size, wanted.size);
  }

  #tell(step: CopyProgress['step'], done: number, total: number): void {
    this.#options.onProgress?.({ step, done, total });
  }
}

type Records = Map<string, StoredRecord>;

async function readAll(store: Store, root: string, revision: Revision): Promise<Records> {
  const { end, start } = prefixRange(root);
  const records: Records = new Map();
  for (let from = start; ; ) {
    const page = await store.list({ start: from, end }, { revision, limit: pageRecords, counted: false });
    for (const record of page.records) records.set(record.key, record);
    const last = page.records.at(-1);
    if (!page.more || last === undefined) return records;
    from = `${last.key}\0`;
  }
}

/** What a copy that was broken off has left of its own. */
function takeRaisingKeys(present: Records, folder: string): Records {
  const taken: Records = new Map();
  for (const [key, record] of present) if (key.startsWith(folder)) taken.set(key, record);
  for (const key of taken.keys()) present.delete(key);
  return taken;
}

/** An unexpected record in the target. */
function extra(present: Records, wanted: Records): StoredRecord[] {
  return [...present.values()].filter(({ key }) => !wanted.has(key));
}

function sameBytes(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a !== undefined && b !== undefined && Buffer.compare(a, b) === 0;
}

/** Works on all of a list, on some at once; ends with the first failure. */
async function inParallel<T>(list: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < list.length) {
      const item = list[next++];
      if (item !== undefined) await work(item);
    }
  };
  await Promise.all(Array.from({ length: writesMax }, worker));
}
