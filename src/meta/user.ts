/** The authenticated user of a request. */
export interface UserInfo {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  /** Extra attributes from the authenticator: `authentication.kubernetes.io/pod-name`. Keys are in lower case. */
  readonly extra?: ReadonlyMap<string, readonly string[]>;
}
