import type { Change, History, Read, Seen, Watching, Write } from './history.ts';

/** What is wrong with a history, as sentences; none where every promise was kept. */
export function checkHistory(history: History): string[] {
  const truth = new Truth(history.changes);
  return [
    ...truth.findings(),
    ...history.writes.flatMap((write) => checkWrite(write, truth)),
    ...checkOrigins(history),
    ...checkRealTime(history),
    ...checkReads(history, truth),
    ...history.watchings.flatMap((watching) => checkWatching(watching, truth)),
  ];
}

/** The changes that happened, looked at from several sides. */
class Truth {
  readonly changes: readonly Change[];
  readonly byRevision: ReadonlyMap<number, Change>;
  readonly byName = new Map<string, Change[]>();
  readonly byValue = new Map<number, Change[]>();

  constructor(changes: readonly Change[]) {
    this.changes = changes;
    this.byRevision = new Map(changes.map((change) => [change.revision, change]));
    for (const change of changes) {
      this.of(change.name).push(change);
      if (change.value !== undefined) {
        this.byValue.set(change.value, [...(this.byValue.get(change.value) ?? []), change]);
      }
    }
  }

  of(name: string): Change[] {
    const known = this.byName.get(name) ?? [];
    this.byName.set(name, known);
    return known;
  }

  /** No update is lost: each change replaces what the change before it has left. */
  findings(): string[] {
    return [...this.byName.values()].flatMap((changes) =>
      changes.flatMap((change, index) => {
        const before = changes[index - 1];
        const left = before?.value === undefined ? 0 : before.revision;
        if (index === 0 || change.previous === left) return [];
        return [`lost update: ${shown(change)} replaced ${change.previous}, and there was ${left}`];
      }),
    );
  }
}

function shown({ revision, name, value }: Change): string {
  return `${name} = ${value ?? 'nothing'} at ${revision}`;
}

function checkWrite(write: Write, truth: Truth): string[] {
  return write.value === undefined ? checkDelete(write, truth) : checkPut(write, write.value, truth);
}

function checkPut(write: Write, value: number, truth: Truth): string[] {
  const { name, base, outcome, revision } = write;
  const what = `${write.kind} ${name} = ${value}`;
  const found = truth.byValue.get(value) ?? [];
  if (found.length > 1) return [`${what} happened ${found.length} times`];
  const [change] = found;
  if (change === undefined)
    return outcome === 'ok' ? [`lost write: ${what} was acknowledged at ${revision}`] : [];
  if (outcome === 'refused') return [`${what} was refused, and happened at ${change.revision}`];
  if (change.name !== name || change.previous !== base) return [`${what} on ${base} became ${shown(change)}`];
  if (outcome === 'ok' && change.revision !== revision) {
    return [`${what} was acknowledged at ${revision}, and happened at ${change.revision}`];
  }
  return [];
}

function checkDelete({ name, base, outcome }: Write, truth: Truth): string[] {
  const happened = truth.of(name).some((change) => change.value === undefined && change.previous === base);
  return outcome === 'ok' && !happened ? [`lost write: delete ${name} of ${base} was acknowledged`] : [];
}

/** Every change has a request. */
function checkOrigins({ writes, changes }: History): string[] {
  const values = new Set(writes.map(({ value }) => value));
  const deletes = new Set(writes.filter(({ value }) => value === undefined).map(({ base }) => base));
  return changes.flatMap((change) => {
    const asked = change.value === undefined ? deletes.has(change.previous) : values.has(change.value);
    return asked ? [] : [`nobody asked for ${shown(change)}`];
  });
}

/** The highest revision that any answer had told before each moment of a list in the order of those moments. */
class Acknowledged {
  readonly #ends: readonly { readonly endedMs: number; readonly revision: number }[];
  #next = 0;
  #highest = 0;

  constructor(answers: readonly (Write | Read)[]) {
    this.#ends = answers
      .flatMap(({ endedMs, revision }) => (revision === undefined ? [] : [{ endedMs, revision }]))
      .sort((a, b) => a.endedMs - b.endedMs);
  }

  /** Moments must be asked for in their order. */
  before(moment: number): number {
    for (
      let end = this.#ends[this.#next];
      end !== undefined && end.endedMs < moment;
      end = this.#ends[this.#next]
    ) {
      this.#highest = Math.max(this.#highest, end.revision);
      this.#next += 1;
    }
    return this.#highest;
  }
}

/** What was acknowledged before a write began has a smaller revision. */
function checkRealTime({ writes, reads }: History): string[] {
  const acknowledged = new Acknowledged([...writes, ...reads]);
  return byStart(writes).flatMap(({ startedMs, revision, kind, name }) => {
    const highest = acknowledged.before(startedMs);
    if (revision === undefined || revision > highest) return [];
    return [`${kind} ${name} began after ${highest} was acknowledged, and got ${revision}`];
  });
}

function byStart<T extends { readonly startedMs: number }>(records: readonly T[]): T[] {
  return [...records].sort((a, b) => a.startedMs - b.startedMs);
}

/** A read shows a state that was true after everything that was acknowledged before it began. */
function checkReads({ reads, writes }: History, truth: Truth): string[] {
  const acknowledged = new Acknowledged([...writes, ...reads]);
  return byStart(reads).flatMap((read) => {
    const finding = checkRead(read, truth, acknowledged.before(read.startedMs));
    return finding === undefined ? [] : [`read ${read.name}: ${finding}`];
  });
}

function checkRead(read: Read, truth: Truth, acknowledged: number): string | undefined {
  const changes = truth.of(read.name);
  if (read.revision === 0) {
    const wasAbsent = absences(changes).some((until) => until > acknowledged);
    return wasAbsent ? undefined : `nothing was there, though ${acknowledged} was acknowledged`;
  }
  const index = changes.findIndex(({ revision }) => revision === read.revision);
  const change = changes[index];
  if (change?.value === undefined || change.value !== read.value) {
    return `${read.value} at ${read.revision} never was`;
  }
  const next = changes[index + 1];
  if (next === undefined || next.revision > acknowledged) return undefined;
  return `stale: ${read.revision}, replaced by ${next.revision}, though ${acknowledged} was acknowledged`;
}

/** The revisions at which an object came, after it had not been there. */
function absences(changes: readonly Change[]): number[] {
  const comings = changes.filter(({ previous }) => previous === 0).map(({ revision }) => revision);
  const isGone = changes.length === 0 || changes.at(-1)?.value === undefined;
  return isGone ? [...comings, Number.POSITIVE_INFINITY] : comings;
}

/** A watch is the truth from its list on: nothing missing, nothing twice, nothing out of order. */
function checkWatching(watching: Watching, truth: Truth): string[] {
  const { listedAt, listed, seen, toTheEnd } = watching;
  const findings = checkListed(listedAt, listed, truth);
  const expected = expectedAfter(listedAt, truth);
  let at = 0;
  for (const line of seen) {
    if (line.type === 'BOOKMARK') {
      const missing = expected[at];
      if (missing !== undefined && missing.revision <= line.revision) {
        findings.push(`bookmark ${line.revision} before the event of ${missing.revision}`);
      }
      continue;
    }
    const wanted = expected[at];
    if (shownLine(wanted) !== shownLine(line)) {
      findings.push(`a watch from ${listedAt} had ${shownLine(line)}, not ${shownLine(wanted)}`);
      return findings;
    }
    at += 1;
  }
  const rest = expected[at];
  if (toTheEnd && rest !== undefined) findings.push(`a watch from ${listedAt} never had ${shownLine(rest)}`);
  return findings;
}

function shownLine(line: Seen | undefined): string {
  return line === undefined ? 'nothing' : `${line.type} ${line.name} = ${line.value} at ${line.revision}`;
}

function checkListed(listedAt: number, listed: Watching['listed'], truth: Truth): string[] {
  const state = new Map<string, { revision: number; value: number | undefined }>();
  for (const { revision, name, value } of truth.changes) {
    if (revision > listedAt) break;
    if (value === undefined) state.delete(name);
    else state.set(name, { revision, value });
  }
  const names = new Set([...state.keys(), ...listed.keys()]);
  return [...names].flatMap((name) => {
    const [is, was] = [state.get(name), listed.get(name)];
    if (is?.revision === was?.revision && is?.value === was?.value) return [];
    return [
      `a list at ${listedAt} had ${name} = ${was?.value} of ${was?.revision}, not ${is?.value} of ${is?.revision}`,
    ];
  });
}

/** The lines that a watch of everything must have after a revision. */
function expectedAfter(after: number, truth: Truth): Seen[] {
  const values = new Map<string, number>();
  const lines: Seen[] = [];
  for (const { revision, name, value } of truth.changes) {
    const old = values.get(name);
    const type = value === undefined ? 'DELETED' : old === undefined ? 'ADDED' : 'MODIFIED';
    if (revision > after) lines.push({ type, revision, name, value: value ?? old });
    if (value === undefined) values.delete(name);
    else values.set(name, value);
  }
  return lines;
}
