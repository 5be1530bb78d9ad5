/**
 * The release of Kubernetes whose behaviour is served: what `/version` says, what tests and recorded answers are held to,
 * and what the recorders in `tools/record` pin. `tools/record/README.md` says how to move to the next one.
 */
export const kubernetesVersion = Object.freeze({ major: 1, minor: 37, patch: 2 });

/** The release before, which new rules must be valid in too, so that a server can be rolled back. Source: KEP-4330. */
export const minCompatibilityVersion = Object.freeze({
  major: kubernetesVersion.major,
  minor: kubernetesVersion.minor - 1,
});
