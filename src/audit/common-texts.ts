import type { JsonValue, UserInfo } from '../meta/index.ts';

/**
 * Parts of events that many requests have in common: a user sends many requests with the same user object, and many
 * requests arrive in the same second.
 */
export class CommonTexts {
  readonly #users = new WeakMap<UserInfo, string>();
  #second = Number.NaN;
  #secondText = '';

  /** A user as JSON; the fields of a user object do not change. */
  user(user: UserInfo): string {
    const known = this.#users.get(user);
    if (known !== undefined) return known;
    const text = userText(user);
    this.#users.set(user, text);
    return text;
  }

  /** A time with microseconds; the clock's precision is milliseconds. */
  time(ms: number): string {
    const second = Math.floor(ms / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#secondText = new Date(second * 1000).toISOString().slice(0, -4);
    }
    return `${this.#secondText}${String(Math.floor(ms) - second * 1000).padStart(3, '0')}000Z`;
  }
}

const json = (value: JsonValue): string => JSON.stringify(value);

function userText(user: UserInfo): string {
  const { name, uid = '', groups, extra } = user;
  let text = `{"username":${json(name)}`;
  if (uid !== '') text += `,"uid":${json(uid)}`;
  if (groups.length > 0) text += `,"groups":${json([...groups])}`;
  if (extra !== undefined && extra.size > 0)
    text += `,"extra":${sortedText(new Map([...extra].map(([key, values]) => [key, [...values]])))}`;
  return `${text}}`;
}

/** The JSON object of a map. */
export function sortedText(map: ReadonlyMap<string, JsonValue>): string {
  const entries = [...map].sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, value]) => `${json(key)}:${json(value)}`).join(',')}}`;
}
