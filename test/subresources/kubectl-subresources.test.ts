import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { collection, type Widgets, startWidgets } from '../fixtures/scalable-widgets.ts';
import { widgetOf } from '../fixtures/widgets.ts';
import { Kubectl, kubectlMinor } from '../fixtures/kubectl.ts';

const minor = kubectlMinor ?? 0;

describe.skipIf(minor < 27)('kubectl and subresources (skipped without a kubectl of 1.27 or later)', () => {
  let widgets: Widgets;
  let kubectl: Kubectl;
  beforeAll(async () => {
    widgets = await startWidgets({
      listen: { host: '127.0.0.1', port: 0, tls: true },
      objects: [
        widgetOf('one', { spec: { rows: 3 }, status: { rows: 1, plants: 'a=b' } }),
        widgetOf('two', { spec: { rows: 3 } }),
        widgetOf('three', { spec: { size: 1 } }),
      ],
    });
    kubectl = new Kubectl(widgets.server.kubeconfigPath);
  });
  afterAll(async () => {
    kubectl[Symbol.dispose]();
    await widgets.server.close();
  });

  async function said(words: string, more: readonly string[] = [], input?: unknown): Promise<string> {
    const { code, out, err } = await kubectl.run(words, more, { input });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    return out;
  }
  const complaint = async (words: string) => (await kubectl.run(words)).err;
  const stored = async (name: string) => (await widgets.call('GET', `${collection}/${name}`)).body;

  test('scale, also under a condition', async () => {
    expect(await said('scale widget one --replicas=5')).toBe('widget.example.com/one scaled\n');
    expect((await stored('one')).spec).toEqual({ rows: 5 });
    expect(await said('scale widget/one --current-replicas=5 --replicas=6')).toContain('scaled');
    expect(await complaint('scale widget/one --current-replicas=5 --replicas=7')).toBe(
      'error: Expected replicas to be 5, was 6\n',
    );
    const { metadata } = await stored('one');
    const under = (version: string) => `scale widget/one --resource-version=${version} --replicas=8`;
    expect(await complaint(under('1'))).toContain(
      `Expected resource version to be 1, was ${metadata.resourceVersion}`,
    );
    expect(await said(under(metadata.resourceVersion))).toContain('scaled');
    expect((await stored('one')).spec).toEqual({ rows: 8 });
  });

  test('scale several, and by file', async () => {
    expect(await said('scale widget one two --replicas=2')).toBe(
      'widget.example.com/one scaled\nwidget.example.com/two scaled\n',
    );
    expect(await said('scale --replicas=3 -f -', [], widgetOf('two'))).toContain('two scaled');
    expect((await stored('two')).spec).toEqual({ rows: 3 });
  });

  test('scale sets replicas that were missing', async () => {
    expect(await said('scale widget three --replicas=4')).toContain('scaled');
    expect((await stored('three')).spec).toEqual({ size: 1, rows: 4 });
  });

  test('scale waits until the replicas are there', async () => {
    await widgets.call('POST', collection, widgetOf('waited', { spec: { rows: 1 } }));
    const running = kubectl.start('scale widget waited --replicas=2 --timeout=20s');
    await expect.poll(async () => (await stored('waited')).spec.rows).toBe(2);
    const status = { status: { rows: 2 } };
    await widgets.call('PATCH', `${collection}/waited/status`, status, 'application/merge-patch+json');
    expect(await running.ended()).toEqual({ code: 0, err: '', out: 'widget.example.com/waited scaled\n' });
  });

  test('scale refuses what is no number of replicas', async () => {
    expect(await complaint('scale widget one --replicas=-1')).toContain('must be');
    expect(await complaint('scale widget nobody --replicas=1')).toContain(
      'widgets.example.com "nobody" not found\n',
    );
  });

  test('get --subresource=scale and =status', async () => {
    await said('scale widget one --replicas=2');
    const table = await said('get widget one --subresource=scale');
    expect(table).toMatch(/^NAME +DESIRED +AVAILABLE +AGE *\none +2 +1 +\S+\n$/);
    expect(
      await said('get widget one --subresource=scale -o', [
        'jsonpath={.kind} {.spec.replicas} {.status.selector}',
      ]),
    ).toBe('Scale 2 a=b');
    expect(await said('get widget one --subresource=status -o', ['jsonpath={.status.rows}'])).toBe('1');
  });

  test('patch --subresource=scale and =status', async () => {
    const words = 'patch widget one --type=merge -p';
    expect(await said(words, ['{"spec":{"replicas":9}}', '--subresource=scale'])).toBe(
      'scale.autoscaling/one patched\n',
    );
    expect(await said(words, ['{"spec":{"rows":1},"status":{"rows":9}}', '--subresource=status'])).toBe(
      'widget.example.com/one patched\n',
    );
    expect(await stored('one')).toMatchObject({ spec: { rows: 9 }, status: { rows: 9, plants: 'a=b' } });
  });

  test('replace --subresource=scale', async () => {
    const { body } = await widgets.call('GET', `${collection}/one/scale`);
    const input = { ...body, spec: { replicas: 7 } };
    const { err, code } = await kubectl.run('replace --subresource=scale -f -', [], { input });
    // kubectl looks for the kind of the file, and no server has Scales as a resource of their own.
    expect({ code, err }).toMatchObject({
      code: 1,
      err: expect.stringContaining('no matches for kind "Scale"'),
    });
  });

  test('edit --subresource=status writes the status, and nothing else that the editor changed', async () => {
    const status = { rows: 1, plants: 'a=b' };
    await widgets.call('POST', collection, widgetOf('edited', { spec: { rows: 3 } }));
    await widgets.call('PATCH', `${collection}/edited/status`, { status }, 'application/merge-patch+json');
    const editor = join(kubectl.folder, 'status-editor.sh');
    writeFileSync(editor, '#!/bin/sh\nsed -i -e "s/rows: 1/rows: 2/" -e "s/rows: 3/rows: 9/" "$1"\n');
    chmodSync(editor, 0o755);
    const { code, out } = await kubectl.run('edit widget edited --subresource=status', [], {
      env: { KUBE_EDITOR: editor },
    });
    expect({ code, out }).toEqual({ code: 0, out: 'widget.example.com/edited edited\n' });
    expect(await stored('edited')).toMatchObject({
      spec: { rows: 3 },
      status: { ...status, rows: 2 },
      metadata: { generation: 1 },
    });
  });

  test.skipIf(minor < 32)('apply --subresource=status --server-side', async () => {
    const input = { ...widgetOf('two', { status: { size: 7 } }), spec: { rows: 99 } };
    const words = 'apply --server-side --subresource=status --field-manager=widgeter -f -';
    expect(await said(words, [], input)).toBe('widget.example.com/two serverside-applied\n');
    expect(await stored('two')).toMatchObject({ spec: { rows: 3 }, status: { size: 7 } });
  });

  test('wait --for=jsonpath sees the status change', async () => {
    await widgets.call('POST', collection, widgetOf('slow', { spec: { rows: 1 } }));
    const running = kubectl.start('wait widget/slow --for=jsonpath={.status.rows}=1 --timeout=20s');
    const status = { status: { rows: 1 } };
    await widgets.call('PATCH', `${collection}/slow/status`, status, 'application/merge-patch+json');
    expect(await running.ended()).toEqual({
      code: 0,
      out: 'widget.example.com/slow condition met\n',
      err: '',
    });
  });
});
