/**
 * The first versions with correct watch progress: earlier ones report a revision before they deliver its events, or
 * report none for a watch without events. Upstream draws the same line. Source: apiserver,
 * storage/feature/feature_support_checker.go; etcd, CHANGELOG-3.4 and CHANGELOG-3.5.
 */
const trustedSince: readonly (readonly [major: number, minor: number, patch: number])[] = [
  [3, 4, 31],
  [3, 5, 13],
];

/** True if a server of this version reports watch progress correctly. */
export function tellsTrueProgress(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split(/[.+-]/).map(Number);
  const line = trustedSince.find(([someMajor, someMinor]) => someMajor === major && someMinor === minor);
  if (line !== undefined) return patch >= line[2];
  return major > 3 || (major === 3 && minor > 5);
}
