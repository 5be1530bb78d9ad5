/** The package.json of this package: two folders up, from the sources and from the bundle. */
export const packageFile = new URL('../../package.json', import.meta.url);
