/** The entries of the library: their names in dist/lib, and where they are in src. package.json exports them. */
export const libraryEntries = {
  library: 'src/library/index.ts',
  testing: 'src/testing/index.ts',
  storage: 'src/storage/index.ts',
  schema: 'src/schema/index.ts',
  cel: 'src/cel/index.ts',
};

/** Programs that export a `main`, which scripts in bin/ call with the arguments. */
export const commandEntries = {
  main: 'src/cli/main.ts',
  // The plugin of kubectl.
  'feature-gates': 'src/cli/feature-gates/main.ts',
};

/** Programs that run when they are loaded: the path in dist of each. */
export const programEntries = {
  // What `ilk envtest-assets` points to.
  'bin/kube-apiserver': 'src/cli/envtest/kube-apiserver-main.ts',
  'bin/etcd': 'src/cli/envtest/etcd-main.ts',
  // A further thread of `ilk serve --workers`.
  'bin/serve-thread': 'src/cli/commands/serve-thread-main.ts',
  // The thread that runs the cases of the playground.
  'playground/worker': 'src/playground/worker-main.ts',
  // The thread that parses long YAML documents.
  'codec/yaml-thread': 'src/codec/yaml-thread-main.ts',
};
