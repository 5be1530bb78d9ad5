import { kubernetesVersion } from '../meta/index.ts';

const { major, minor, patch } = kubernetesVersion;

/** The response of `/version`: the Kubernetes release that Ilk follows, and Ilk's own version. */
export const versionInfo = Object.freeze({
  major: String(major),
  minor: String(minor),
  gitVersion: `v${major}.${minor}.${patch}+ilk`,
  gitCommit: '',
  gitTreeState: '',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: `node${process.versions.node}`,
  compiler: 'v8',
  platform: `${process.platform}/${process.arch}`,
});
