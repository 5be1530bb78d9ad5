import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type IlkServer, startServer } from '../../src/library/index.ts';

const fileAt = (path: string) =>
  readFileSync(new URL(`../../deploy/monitoring/${path}`, import.meta.url), 'utf8');

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string; readonly what: string };
}
interface Panel {
  readonly title: string;
  readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
}

const { groups } = load(fileAt('alerts.yaml')) as { groups: { rules: Rule[] }[] };
const { panels } = JSON.parse(fileAt('dashboard.json')) as { panels: Panel[] };
const rules = groups.flatMap((group) => group.rules);

let server: IlkServer;
let text = '';
beforeAll(async () => {
  server = await startServer({ priorityAndFairness: true });
  await server.fetch('/api/v1/pods');
  text = await (await server.fetch('/metrics')).text();
});
afterAll(() => server.close());

/** What an expression asks for: the names of metrics, and the labels that it selects or groups by. */
function asked(expr: string) {
  const selectors = [...expr.matchAll(/([a-z_:][a-z0-9_:]*)\{([^}]*)\}/g)];
  const groupings = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) =>
    list.split(',').map((one) => one.trim()),
  );
  return selectors.map(([, name = '', labels = '']) => ({
    name,
    labels: [...labels.matchAll(/([a-z_]+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
    groupings,
  }));
}

/** What Prometheus adds itself. */
const added = new Set(['job', 'instance', 'le']);
const labelsOfMetric: ReadonlyMap<string, readonly string[]> = new Map([
  ['apiserver_flowcontrol_rejected_requests_total', ['priority_level', 'reason', 'flow_schema']],
  [
    'apiserver_admission_webhook_rejection_count',
    ['name', 'error_type', 'type', 'operation', 'rejection_code'],
  ],
  ['apiserver_admission_webhook_admission_duration_seconds', ['name', 'type', 'operation', 'rejected']],
  ['ilk_closed_connections_total', ['reason']],
]);

/** Labels of the series that are there, and those of metrics that nothing was counted for yet. */
function labelsOf(metric: string): readonly string[] {
  const line = text
    .split('\n')
    .find((one) => one.startsWith(`${metric}{`) || one.startsWith(`${metric}_bucket{`));
  const present = [...(line ?? '').matchAll(/([a-z_]+)="/g)].map(([, label = '']) => label);
  return [...present, ...(labelsOfMetric.get(metric) ?? [])];
}

const exprs: (readonly [string, string])[] = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
];

test.each(exprs)('%s asks for what /metrics has', (_, expr) => {
  const parts = asked(expr).filter(({ name }) => name !== 'up');
  if (!expr.startsWith('up{')) expect(parts.length).toBeGreaterThan(0);
  for (const { name, labels, groupings } of parts) {
    const metric = name.replace(/_bucket$/, '');
    expect(text).toContain(`# TYPE ${metric} ${name === metric ? '' : 'histogram'}`);
    const known = labelsOf(metric);
    for (const label of [...labels, ...groupings].filter((one) => !added.has(one)))
      expect(known, metric).toContain(label);
  }
});

/** Prometheus' own tool, in Debian's package `prometheus`. */
const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

test.skipIf(!hasPromtool)('Prometheus takes the rules, and what the panels ask', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ilk-monitoring-'));
  const check = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    const { stdout, stderr } = spawnSync('promtool', ['check', 'rules', join(folder, name)], {
      encoding: 'utf8',
    });
    return `${stdout}${stderr}`;
  };
  try {
    expect(check('alerts.yaml', fileAt('alerts.yaml'))).toContain(`SUCCESS: ${rules.length} rules found`);
    const ofPanels = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    const recorded = ofPanels.map((expr, at) => ({ record: `panel_${at}`, expr }));
    const text = JSON.stringify({ groups: [{ name: 'panels', rules: recorded }] });
    expect(check('panels.yaml', text)).toContain(`SUCCESS: ${ofPanels.length} rules found`);
    expect(check('broken.yaml', text.replace('sum', 'summ'))).toContain('FAILED');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.each(rules.map((rule) => [rule.alert, rule] as const))('%s says what to do', (_, { annotations }) => {
  expect(annotations.what.length).toBeGreaterThan(20);
});

test('the process is measured under the names of other servers', () => {
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  expect(value('process_cpu_seconds_total')).toBeGreaterThan(0);
  expect(value('process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
  expect(value('nodejs_heap_size_used_bytes')).toBeGreaterThan(1_000_000);
  expect(value('process_start_time_seconds')).toBeLessThanOrEqual(Date.now() / 1_000);
  if (process.platform === 'linux') expect(value('process_open_fds')).toBeLessThan(value('process_max_fds'));
  expect(text).toMatch(/^nodejs_version_info\{version="v\d+\./m);
});
