/** The entries of the library: their names in dist/lib, and where they are in src. package.json exports them. */
export const libraryEntries = {
  library: 'src/library/index.ts',
  testing: 'src/testing/index.ts',
  storage: 'src/storage/index.ts',
  schema: 'src/schema/index.ts',
  cel: 'src/cel/index.ts',
};
