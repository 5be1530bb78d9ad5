import { isObject, type JsonObject, own, ownObject, ownString } from '../../src/meta/index.ts';
import { group, kindOf } from './kinds.ts';

/** A write that the server has acknowledged. */
interface Acknowledged {
  readonly name: string;
  readonly uid: string;
  readonly count: unknown;
}

/** Everything that clients know for certain, and the complaints about what they were told otherwise. */
export class StormRecord {
  readonly complaints: string[] = [];
  /** By plural and resourceVersion. */
  readonly #writes = new Map<string, Map<number, Acknowledged>>();
  /** Of CRDs that are gone: none of these may be seen again. */
  readonly #buried = new Set<string>();
  answers = 0;

  complain(text: string): void {
    this.complaints.push(text);
  }

  /** Every answer to every request: none may say that the server failed. */
  answered(what: string, code: number, body: unknown): void {
    this.answers += 1;
    if (code >= 500) this.complain(`${what}: ${code} ${JSON.stringify(body)}`);
  }

  acknowledged(plural: string, object: JsonObject): void {
    const { name, uid, count, revision } = read(object);
    this.#of(plural).set(revision, { name, uid, count });
  }

  /** The CRD is gone: what was acknowledged before will never come back. */
  bury(plural: string): void {
    for (const { uid } of this.#of(plural).values()) this.#buried.add(uid);
  }

  /** Those that were buried before a request was sent. */
  get buried(): ReadonlySet<string> {
    return new Set(this.#buried);
  }

  /** Looks at an object that was seen in an answer or an event. */
  seen(where: string, object: unknown, expected: Expected): void {
    if (!isObject(object)) return this.complain(`${where}: no object`);
    const { name, uid, count, revision } = read(object);
    const { plural, version, buried } = expected;
    if (object['kind'] !== kindOf(plural)) this.complain(`${where}: kind ${String(object['kind'])}`);
    if (object['apiVersion'] !== `${group}/${version}`)
      this.complain(`${where}: asked for ${version}, got ${String(object['apiVersion'])}`);
    if (own(ownObject(object, 'spec') ?? {}, 'id') !== `${plural}/${name}`)
      this.complain(`${where}: ${name} is ${JSON.stringify(object)}`);
    if (buried?.has(uid) === true) this.complain(`${where}: ${name} came back from the dead`);
    const known = this.#of(plural).get(revision);
    if (known === undefined || expected.deleted === true) return;
    if (known.name !== name || known.uid !== uid || known.count !== count)
      this.complain(
        `${where}: at ${revision} ${JSON.stringify(known)} was written, ${JSON.stringify(object)} seen`,
      );
  }

  /** The revisions of writes to a resource that lie in a range, without its start. */
  writesWithin(plural: string, after: number, upTo: number): number[] {
    return [...this.#of(plural).keys()].filter((revision) => revision > after && revision <= upTo);
  }

  #of(plural: string): Map<number, Acknowledged> {
    const known = this.#writes.get(plural) ?? new Map<number, Acknowledged>();
    this.#writes.set(plural, known);
    return known;
  }
}

interface Expected {
  readonly plural: string;
  readonly version: string;
  readonly buried?: ReadonlySet<string>;
  /** True where the object is shown in its last state, at the revision of its deletion. */
  readonly deleted?: boolean;
}

export function read(object: JsonObject) {
  const metadata = ownObject(object, 'metadata') ?? {};
  return {
    name: ownString(metadata, 'name') ?? '',
    uid: ownString(metadata, 'uid') ?? '',
    revision: Number(ownString(metadata, 'resourceVersion')),
    count: own(ownObject(object, 'spec') ?? {}, 'count'),
  };
}
