/** prom-client's own metrics of the process, with OpenTelemetry, its cluster and its gateway are loaded by its index and not used. */
export const withoutDefaultMetrics = {
  name: 'without-default-metrics',
  setup(build) {
    build.onResolve(
      { filter: /^\.\/lib\/(defaultMetrics|cluster|pushgateway)(\.js)?$/ },
      ({ path, importer }) =>
        /[\\/]prom-client[\\/]index\.js$/.test(importer) ? { path, namespace: 'not-loaded' } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'not-loaded' }, () => ({ contents: 'module.exports = {};' }));
  },
};
