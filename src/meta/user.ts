/** The user of a request, as authentication found it. */
export interface UserInfo {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  /** What an authenticator adds, by key: `authentication.kubernetes.io/pod-name`. Keys are in lower case. */
  readonly extra?: ReadonlyMap<string, readonly string[]>;
}
