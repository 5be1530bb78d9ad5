/**
 * The Kubernetes release whose behaviour is served: `/version` reports it, tests and recorded answers use it, and the
 * recorders in `tools/record` pin it. `tools/record/README.md` describes the move to the next one.
 */
export const kubernetesVersion = Object.freeze({ major: 1, minor: 37, patch: 2 });

/** The release before. New rules must be valid in it too, so that a server can be rolled back. Source: KEP-4330. */
export const minCompatibilityVersion = Object.freeze({
  major: kubernetesVersion.major,
  minor: kubernetesVersion.minor - 1,
});
