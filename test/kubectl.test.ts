import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type KubeObject, metadataOf } from '../src/meta/index.ts';
import { type IlkServer, startServer } from '../src/server.ts';
import { Kubectl, kubectlMinor, type RunOptions } from './fixtures/kubectl.ts';
import { widget, widgetCrd, widgetsPath } from './fixtures/widgets.ts';

const minor = kubectlMinor ?? 0;

describe.skipIf(kubectlMinor === undefined)('kubectl (skipped where it is not on the PATH)', () => {
  let server: IlkServer;
  let kubectl: Kubectl;
  beforeAll(async () => {
    server = await startServer({
      crds: [widgetCrd],
      listen: { host: '127.0.0.1', port: 0, tls: true },
    });
    kubectl = new Kubectl(server.kubeconfigPath);
  });
  afterAll(async () => {
    kubectl[Symbol.dispose]();
    await server.close();
  });

  /** What a command prints, where it succeeds without a complaint. */
  async function said(
    words: string,
    more: readonly string[] = [],
    options: RunOptions = {},
  ): Promise<string> {
    const { code, out, err } = await kubectl.run(words, more, options);
    expect({ code, err, out: code === 0 ? '' : out }).toEqual({ code: 0, err: '', out: '' });
    return out;
  }

  /** What a command that fails complains of. */
  async function complaint(words: string, more: readonly string[] = [], input?: unknown): Promise<string> {
    const { code, out, err } = await kubectl.run(words, more, { input });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    return err;
  }

  async function send(method: string, path: string, body: unknown, type = 'application/json'): Promise<void> {
    const headers = { 'content-type': type };
    const response = await server.fetch(path, { method, headers, body: JSON.stringify(body) });
    expect([response.ok, await response.text()]).toEqual([true, expect.anything()]);
  }

  const make = (object: KubeObject, namespace = 'default') => send('POST', widgetsPath(namespace), object);
  const merge = (name: string, patch: unknown) =>
    send('PATCH', `${widgetsPath()}/${name}`, patch, 'application/merge-patch+json');

  async function makeNamespace(name: string): Promise<void> {
    await send('POST', '/api/v1/namespaces', { metadata: { name } });
  }

  async function stored(name: string): Promise<KubeObject> {
    const text = await (await server.fetch(`${widgetsPath()}/${name}`)).text();
    return JSON.parse(text);
  }

  describe('create and get', () => {
    beforeAll(async () => {
      const input = widget('first', { color: 'blue', size: 3 }, { labels: { shelf: 'top' } });
      expect(await said('create -f -', [], { input })).toBe('widget.example.com/first created\n');
    });

    test.each([
      ['get widget first', 'NAME    COLOR\nfirst   blue\n'],
      ['get wd first -o wide', 'NAME    COLOR   SIZE\nfirst   blue    3\n'],
      ['get widgets.example.com first --no-headers', 'first   blue\n'],
      ['get widgets.v1.example.com/first -o name', 'widget.example.com/first\n'],
      ['get widget -l shelf=top -o name', 'widget.example.com/first\n'],
      ['get widget -l shelf!=top,shelf -o name', ''],
      ['get widget first -L shelf', 'NAME    COLOR   SHELF\nfirst   blue    top\n'],
      ['get widget first -o jsonpath={.spec.color}/{.metadata.labels.shelf}', 'blue/top'],
      ['get widget first -o custom-columns=N:.metadata.name,S:.spec.size', 'N       S\nfirst   3\n'],
      ['get widget first -o go-template={{.spec.size}}', '3'],
      ['get workshop -o name', 'widget.example.com/first\n'],
      ['get widget --field-selector metadata.name=first -o name', 'widget.example.com/first\n'],
      ['get widget --field-selector spec.color=blue -o name', 'widget.example.com/first\n'],
      ['get widget --field-selector spec.color=red -o name', ''],
    ])('%s', async (words, shown) => {
      expect(await said(words)).toBe(shown);
    });

    test('get --all-namespaces shows where things are', async () => {
      expect(await said('get widgets -A')).toBe('NAMESPACE   NAME    COLOR\ndefault     first   blue\n');
    });

    test('get -o json and -o yaml show the object', async () => {
      const shown = JSON.parse(await said('get widget first -o json'));
      expect(shown).toEqual(expect.objectContaining({ kind: 'Widget', spec: { color: 'blue', size: 3 } }));
      expect(shown.metadata).toMatchObject({ generation: 1, labels: { shelf: 'top' }, namespace: 'default' });
      const yaml = await said('get widget first -o yaml');
      expect(yaml).toMatch(/^apiVersion: example.com\/v1\nkind: Widget\nmetadata:\n/);
      expect(yaml).toMatch(/\nspec:\n {2}color: blue\n {2}size: 3\n$/);
    });

    test.skipIf(minor < 24)('get --subresource=status (kubectl 1.24)', async () => {
      expect(await said('get widget first --subresource=status -o jsonpath={.metadata.name}')).toBe('first');
    });

    test('get --chunk-size asks page by page, and shows the whole', async () => {
      await makeNamespace('pages');
      for (const name of ['a', 'b', 'c', 'd', 'e']) await make(widget(name), 'pages');
      const { out, err } = await kubectl.run('get widgets -n pages --chunk-size=2 -o name -v=6');
      expect(out.split('\n').filter((line) => line.startsWith('widget.'))).toEqual(
        ['a', 'b', 'c', 'd', 'e'].map((name) => `widget.example.com/${name}`),
      );
      const asked = [...`${out}${err}`.matchAll(/pages\/widgets\?(\S*limit=2[^\s"]*)/g)].map(([, q]) => q);
      expect(new Set(asked).size).toBe(3);
    });

    test('an empty namespace', async () => {
      await makeNamespace('empty');
      const { code, err } = await kubectl.run('get widgets -n empty');
      expect([code, err]).toEqual([0, 'No resources found in empty namespace.\n']);
    });
  });

  test('get -w shows a change when it happens', async () => {
    await make(widget('watched'));
    const watch = kubectl.start('get widget watched -w --output-watch-events -v=6');
    await watch.says(/^ADDED +watched +blue$/m);
    await watch.says(/watch=true/);
    await merge('watched', { spec: { color: 'red' } });
    await watch.says(/^MODIFIED +watched +red$/m);
    await send('DELETE', `${widgetsPath()}/watched`, {});
    await watch.says(/^DELETED +watched +red$/m);
    await watch.stop();
  });

  test('get -w --output-watch-events -o name of a label', async () => {
    const watch = kubectl.start('get widgets -w -l pick=me -o jsonpath={.metadata.name}={.spec.color}; -v=6');
    await watch.says(/watch=true/);
    await make(widget('unlabelled'));
    await make(widget('labelled', { color: 'green' }, { labels: { pick: 'me' } }));
    await watch.says(/labelled=green;/);
    await watch.stop();
    expect((await watch.ended()).out).not.toContain('unlabelled');
  });

  test('describe shows the object and its events', async () => {
    await make(widget('described', { color: 'green' }));
    const { metadata } = await stored('described');
    await send('POST', '/api/v1/namespaces/default/events', {
      metadata: { name: 'described.1', namespace: 'default' },
      involvedObject: {
        apiVersion: 'example.com/v1',
        kind: 'Widget',
        name: 'described',
        namespace: 'default',
        uid: Object(metadata).uid,
      },
      reason: 'Painted',
      message: 'is green now',
      type: 'Normal',
      source: { component: 'painter' },
      firstTimestamp: new Date().toISOString().replace(/\.\d+/, ''),
      lastTimestamp: new Date().toISOString().replace(/\.\d+/, ''),
      count: 1,
    });
    const shown = await said('describe widget described');
    expect(shown).toMatch(/^Name: +described\nNamespace: +default\n/);
    expect(shown).toMatch(/\nSpec:\n {2}Color: +green\n/);
    expect(shown).toMatch(/\n {2}Normal +Painted +\S+ +painter +is green now\n$/);
    expect(
      await said('get events --field-selector involvedObject.name=described -o jsonpath={..reason}'),
    ).toBe('Painted');
    expect(await said('get events')).toMatch(/Painted +widget\/described +is green now\n$/);
    expect(await said('get events --field-selector involvedObject.name=other -o name')).toBe('');
  });

  describe('changes', () => {
    test('edit writes what the editor leaves', async () => {
      await make(widget('edited'));
      const editor = join(kubectl.folder, 'editor.sh');
      writeFileSync(editor, '#!/bin/sh\nsed -i -e "s/color: blue/color: red/" "$1"\n');
      chmodSync(editor, 0o755);
      expect(await said('edit widget edited', [], { env: { KUBE_EDITOR: editor } })).toBe(
        'widget.example.com/edited edited\n',
      );
      expect(await stored('edited')).toMatchObject({ spec: { color: 'red' }, metadata: { generation: 2 } });
      const { err } = await kubectl.run('edit widget edited', [], { env: { KUBE_EDITOR: 'true' } });
      expect(err).toBe('Edit cancelled, no changes made.\n');
    });

    test('patch of each type', async () => {
      await make(widget('patched', { color: 'blue', size: 1 }));
      const patched = 'widget.example.com/patched patched\n';
      expect(await said('patch widget patched --type=merge -p', ['{"spec":{"size":2}}'])).toBe(patched);
      expect(
        await said('patch widget patched --type=json -p', [
          '[{"op":"test","path":"/spec/size","value":2},{"op":"remove","path":"/spec/color"}]',
        ]),
      ).toBe(patched);
      expect((await stored('patched'))['spec']).toEqual({ size: 2 });
      const nothing = 'widget.example.com/patched patched (no change)\n';
      expect(await said('patch widget patched --type=merge -p', ['{"spec":{"size":2}}'])).toBe(nothing);
    });

    test('a strategic patch is for built-in kinds only', async () => {
      await makeNamespace('strategic');
      expect(await said('patch ns strategic -p', ['{"metadata":{"labels":{"a":"b"}}}'])).toBe(
        'namespace/strategic patched\n',
      );
      expect(await said('get ns strategic -o jsonpath={.metadata.labels.a}')).toBe('b');
      await make(widget('strategic'));
      expect(await complaint('patch widget strategic -p', ['{"spec":{"size":2}}'])).toMatch(
        /the body of the request was in an unknown format - accepted media types include: application\/json-patch\+json, application\/merge-patch\+json, application\/apply-patch\+yaml\n$/,
      );
    });

    test.skipIf(minor < 24)('patch --subresource=status (kubectl 1.24)', async () => {
      await make(widget('reported'));
      const patch = '{"spec":{"color":"red"},"status":{"phase":"done"}}';
      await said('patch widget reported --subresource=status --type=merge -p', [patch]);
      expect(await stored('reported')).toMatchObject({
        spec: { color: 'blue' },
        status: { phase: 'done' },
        metadata: { generation: 1 },
      });
    });

    test('label and annotate', async () => {
      await make(widget('marked', {}, { labels: { a: 'b' } }));
      expect(await said('label widget marked c=d')).toBe('widget.example.com/marked labeled\n');
      expect(await complaint('label widget marked a=x')).toBe(
        "error: 'a' already has a value (b), and --overwrite is false\n",
      );
      await said('label widget marked a=x c- --overwrite');
      expect(await said('annotate widget marked note=kept')).toMatch(
        /^widget\.example\.com\/marked annotated?\n$/,
      );
      expect((await stored('marked'))['metadata']).toMatchObject({
        labels: { a: 'x' },
        annotations: { note: 'kept' },
        generation: 1,
      });
      expect(await complaint('label widget marked', ['bad/label/key=x'])).toContain(
        'metadata.labels: Invalid value: "bad/label/key": a valid label key must consist of ',
      );
    });

    test('replace needs the object, and the version it was read at', async () => {
      await make(widget('replaced', { color: 'blue', size: 1 }));
      const old = await stored('replaced');
      expect(await said('replace -f -', [], { input: widget('replaced', { color: 'red' }) })).toBe(
        'widget.example.com/replaced replaced\n',
      );
      expect((await stored('replaced'))['spec']).toEqual({ color: 'red' });
      expect(await complaint('replace -f -', [], old)).toBe(
        'Error from server (Conflict): error when replacing "STDIN": Operation cannot be fulfilled on ' +
          'widgets.example.com "replaced": the object has been modified; please apply your changes to the latest ' +
          'version and try again\n',
      );
      expect(await complaint('replace -f -', [], widget('nobody'))).toBe(
        'Error from server (NotFound): error when replacing "STDIN": widgets.example.com "nobody" not found\n',
      );
    });
  });

  describe('apply', () => {
    const apply = (object: KubeObject, more: readonly string[] = []) =>
      said('apply -f -', more, { input: object });

    test('client-side: creates, changes, removes a field, leaves alone what others wrote', async () => {
      expect(await apply(widget('applied', { color: 'blue', size: 1 }))).toBe(
        'widget.example.com/applied created\n',
      );
      expect(await apply(widget('applied', { color: 'blue', size: 1 }))).toBe(
        'widget.example.com/applied unchanged\n',
      );
      await merge('applied', { metadata: { labels: { other: 'writer' } } });
      expect(await apply(widget('applied', { color: 'red' }))).toBe(
        'widget.example.com/applied configured\n',
      );
      expect(await stored('applied')).toMatchObject({
        metadata: { labels: { other: 'writer' }, generation: 2 },
      });
      expect((await stored('applied'))['spec']).toEqual({ color: 'red' });
      expect(await said('apply view-last-applied widget/applied -o json')).toContain('"color": "red"');
    });

    test.skipIf(minor < 27)('diff tells what would change, and changes nothing (kubectl 1.27)', async () => {
      await apply(widget('different', { color: 'blue' }));
      expect(
        (await kubectl.run('diff -f -', [], { input: widget('different', { color: 'blue' }) })).code,
      ).toBe(0);
      const { code, out } = await kubectl.run('diff -f -', [], {
        input: widget('different', { color: 'red' }),
      });
      expect(code).toBe(1);
      expect(out).toMatch(/\n- {2}color: blue\n\+ {2}color: red\n/);
      expect(await stored('different')).toMatchObject({
        spec: { color: 'blue' },
        metadata: { generation: 1 },
      });
    });

    test.skipIf(minor < 27)('--dry-run=server answers as if, and stores nothing (kubectl 1.27)', async () => {
      expect(await apply(widget('imagined'), ['--dry-run=server'])).toBe(
        'widget.example.com/imagined created (server dry run)\n',
      );
      expect(await stored('imagined')).toMatchObject({ code: 404 });
    });

    test('server-side: who owns a field decides, unless forced', async () => {
      const from = (manager: string, spec: KubeObject, more: readonly string[] = []) =>
        kubectl.run('apply --server-side -f -', [`--field-manager=${manager}`, ...more], {
          input: widget('owned', spec),
        });
      expect((await from('alice', { color: 'blue', size: 1 })).out).toBe(
        'widget.example.com/owned serverside-applied\n',
      );
      const conflict = await from('bob', { color: 'red' });
      expect(conflict.code).toBe(1);
      expect(conflict.err).toContain('Apply failed with 1 conflict: conflict with "alice": .spec.color\n');
      expect((await from('bob', { color: 'red' }, ['--force-conflicts'])).code).toBe(0);
      expect((await from('alice', {})).code).toBe(0);
      expect((await stored('owned'))['spec']).toEqual({ color: 'red' });
    });

    test('--prune deletes what was applied and is no longer in the configuration', async () => {
      const kept = widget('kept', { color: 'blue' });
      const labelled = (object: KubeObject) => ({
        ...object,
        metadata: { ...metadataOf(object), labels: { set: 'a' } },
      });
      const list = (...items: KubeObject[]) => ({
        apiVersion: 'v1',
        kind: 'List',
        items: items.map(labelled),
      });
      await apply(list(kept, widget('dropped', { color: 'red' })));
      const allowed = minor < 26 ? '--prune-whitelist' : '--prune-allowlist';
      const prune = ['--prune', '-l', 'set=a', `${allowed}=example.com/v1/Widget`];
      const { code, out } = await kubectl.run('apply -f -', prune, { input: list(kept) });
      expect({ code, out }).toEqual({
        code: 0,
        out: 'widget.example.com/kept unchanged\nwidget.example.com/dropped pruned\n',
      });
      expect(await stored('dropped')).toMatchObject({ code: 404 });
    });

    test.skipIf(minor < 26)(
      '--server-side takes over what was applied client-side (kubectl 1.26)',
      async () => {
        const spec = { color: 'blue', size: 1 };
        await apply(widget('moved', spec));
        await said('apply --server-side -f -', [], { input: widget('moved', spec) });
        const entries = await said('get widget moved --show-managed-fields -o', [
          'jsonpath={range .metadata.managedFields[*]}{.manager} {.operation}{"\\n"}{end}',
        ]);
        // kubectl keeps its last-applied annotation up to date under a manager of its own.
        expect(entries).toBe('kubectl Apply\nkubectl-last-applied Apply\n');
        await said('apply --server-side -f -', [], { input: widget('moved', { color: 'blue' }) });
        expect((await stored('moved'))['spec']).toEqual({ color: 'blue' });
      },
    );

    test('a folder of objects, a CRD first', async () => {
      const file = join(kubectl.folder, 'gadgets.yaml');
      const crd = JSON.parse(
        JSON.stringify(widgetCrd).replaceAll('widget', 'gadget').replaceAll('Widget', 'Gadget'),
      );
      delete crd.spec.names.shortNames;
      writeFileSync(file, JSON.stringify(crd));
      expect(await said(`apply -f ${file}`)).toBe(
        'customresourcedefinition.apiextensions.k8s.io/gadgets.example.com created\n',
      );
      expect(await said(`wait --for=condition=Established -f ${file}`)).toBe(
        'customresourcedefinition.apiextensions.k8s.io/gadgets.example.com condition met\n',
      );
      expect(await said(`apply -f ${file}`)).toBe(
        'customresourcedefinition.apiextensions.k8s.io/gadgets.example.com unchanged\n',
      );
      expect(await said('create -f -', [], { input: { ...widget('one'), kind: 'Gadget' } })).toBe(
        'gadget.example.com/one created\n',
      );
      expect(await said('get crd gadgets.example.com -o name')).toBe(
        'customresourcedefinition.apiextensions.k8s.io/gadgets.example.com\n',
      );
      expect(await said(`delete -f ${file}`)).toMatch(
        /^customresourcedefinition\.apiextensions\.k8s\.io "gadgets\.example\.com" deleted\n$/,
      );
      expect(await complaint('get gadgets')).toMatch(
        /^(error: the server doesn't have a resource type "gadgets"|Error from server \(NotFound\): Unable to list .*)\n$/,
      );
    });
  });

  describe('delete', () => {
    const deleted = (...names: string[]) =>
      new RegExp(
        `^${names.map((n) => `widget\\.example\\.com "${n}" deleted( from \\S+ namespace)?\n`).join('')}$`,
      );

    test('by name, by label, from a file, all', async () => {
      await makeNamespace('clearing');
      for (const name of ['a', 'b', 'c', 'd', 'e']) {
        await make(widget(name, {}, { labels: { half: name < 'c' ? 'first' : 'second' } }), 'clearing');
      }
      expect(await said('delete -n clearing widget a')).toMatch(deleted('a'));
      expect(await said('delete -n clearing widget -l half=first')).toMatch(deleted('b'));
      expect(await said('delete -n clearing -f -', [], { input: widget('c') })).toMatch(deleted('c'));
      expect(await said('delete -n clearing widgets --all')).toMatch(deleted('d', 'e'));
      expect(await complaint('delete -n clearing widget a')).toBe(
        'Error from server (NotFound): widgets.example.com "a" not found\n',
      );
      expect(await said('delete -n clearing widget a --ignore-not-found')).toBe('');
    });

    test.skipIf(minor < 27)('delete --dry-run=server deletes nothing (kubectl 1.27)', async () => {
      await make(widget('staying'));
      expect(await said('delete widget staying --dry-run=server')).toMatch(
        /^widget\.example\.com "staying" deleted/,
      );
      expect(await stored('staying')).toMatchObject({ kind: 'Widget' });
    });

    test('--wait=false', async () => {
      await make(widget('going'));
      expect(await said('delete widget going --cascade=background --wait=false')).toMatch(deleted('going'));
      expect(await stored('going')).toMatchObject({ code: 404 });
    });

    /** A widget, and one that belongs to it. */
    async function family(owner: string): Promise<string> {
      await make(widget(owner));
      const { uid } = Object((await stored(owner))['metadata']);
      const reference = {
        apiVersion: 'example.com/v1',
        kind: 'Widget',
        name: owner,
        uid,
        blockOwnerDeletion: true,
      };
      await make(widget(`${owner}-child`, {}, { ownerReferences: [reference] }));
      return `${owner}-child`;
    }

    test('--cascade=foreground: what belongs to it goes first', async () => {
      const child = await family('parent');
      expect(await said('delete widget parent --cascade=foreground')).toMatch(deleted('parent'));
      expect(await stored(child)).toMatchObject({ code: 404 });
    });

    test('--cascade=background: what belongs to it follows', async () => {
      const child = await family('leader');
      expect(await said('delete widget leader --cascade=background')).toMatch(deleted('leader'));
      const { out } = await kubectl.run(`wait --for=delete widget/${child} --timeout=20s`);
      expect(['', `widget.example.com/${child} condition met\n`]).toContain(out);
      expect(await stored(child)).toMatchObject({ code: 404 });
    });

    test('--cascade=orphan: its dependents have no owner', async () => {
      const child = await family('gone');
      expect(await said('delete widget gone --cascade=orphan')).toMatch(deleted('gone'));
      const { metadata } = await stored(child);
      expect(metadata).not.toHaveProperty('ownerReferences');
      expect(metadata).not.toHaveProperty('deletionTimestamp');
    });

    test('a namespace, with all that is in it', async () => {
      await makeNamespace('doomed');
      for (const name of ['a', 'b', 'c']) await make(widget(name), 'doomed');
      expect(await said('delete namespace doomed')).toBe('namespace "doomed" deleted\n');
      expect(await said('get ns doomed --ignore-not-found')).toBe('');
      expect(await said('get widgets -A -o name --field-selector metadata.namespace=doomed')).toBe('');
    });

    test('waits for finalizers', async () => {
      await make(widget('held', {}, { finalizers: ['example.com/hold'] }));
      const waiting = kubectl.start('delete widget held -v=6');
      await waiting.says(/watch=true/);
      expect(await stored('held')).toMatchObject({ metadata: { deletionTimestamp: expect.any(String) } });
      await merge('held', { metadata: { finalizers: null } });
      expect((await waiting.ended()).code).toBe(0);
    });
  });

  describe('wait', () => {
    async function waiting(words: string, change: () => Promise<void>) {
      const wait = kubectl.start(`${words} -v=6 --timeout=20s`);
      await wait.says(/watch=true/);
      await change();
      const { code, out } = await wait.ended();
      return [code, /^widget.*$/m.exec(out)?.[0]];
    }
    const status = (name: string, value: unknown) =>
      send('PATCH', `${widgetsPath()}/${name}/status`, { status: value }, 'application/merge-patch+json');

    test('--for=condition', async () => {
      await make(widget('ready'));
      const done = waiting('wait --for=condition=Ready widget/ready', () =>
        status('ready', { conditions: [{ type: 'Ready', status: 'True' }] }),
      );
      expect(await done).toEqual([0, 'widget.example.com/ready condition met']);
    });

    test.skipIf(minor < 23)('--for=jsonpath (kubectl 1.23)', async () => {
      await make(widget('phased'));
      const done = waiting('wait --for=jsonpath={.status.phase}=done widget/phased', () =>
        status('phased', { phase: 'done' }),
      );
      expect(await done).toEqual([0, 'widget.example.com/phased condition met']);
    });

    test('--for=delete', async () => {
      await make(widget('leaving'));
      const done = waiting('wait --for=delete widget/leaving', () =>
        send('DELETE', `${widgetsPath()}/leaving`, {}),
      );
      expect(await done).toEqual([0, 'widget.example.com/leaving condition met']);
    });

    test('times out', async () => {
      await make(widget('never'));
      expect(await complaint('wait --for=condition=Ready widget/never --timeout=1s')).toBe(
        'error: timed out waiting for the condition on widgets/never\n',
      );
    });
  });

  describe('what there is', () => {
    test('api-resources', async () => {
      const shown = await said('api-resources --api-group=example.com --no-headers --sort-by=name');
      expect(shown.trim().replace(/ +/g, ' ')).toMatch(/^widgets wd example\.com\/v1 true Widget$/m);
      const clusterScoped = await said('api-resources --namespaced=false --verbs=list,watch -o name');
      expect(clusterScoped.split('\n')).toEqual(
        expect.arrayContaining(['namespaces', 'nodes', 'customresourcedefinitions.apiextensions.k8s.io']),
      );
      expect(clusterScoped).not.toMatch(/pods|widgets/);
    });

    test('api-versions', async () => {
      expect((await said('api-versions')).split('\n')).toEqual(
        expect.arrayContaining(['apiextensions.k8s.io/v1', 'coordination.k8s.io/v1', 'example.com/v1', 'v1']),
      );
    });

    test('version', async () => {
      const { out } = await kubectl.run('version -o json');
      expect(JSON.parse(out).serverVersion).toMatchObject({
        major: '1',
        gitVersion: expect.stringMatching(/^v1\./),
      });
    });

    test('get --raw', async () => {
      expect(await said('get --raw /healthz')).toBe('ok');
      expect(await said('get --raw /readyz')).toBe('ok');
      expect(JSON.parse(await said('get --raw /version'))).toMatchObject({ major: '1' });
      expect(JSON.parse(await said('get --raw /apis/example.com/v1'))).toMatchObject({
        kind: 'APIResourceList',
        groupVersion: 'example.com/v1',
      });
      expect(JSON.parse(await said('get --raw /apis'))).toMatchObject({ kind: 'APIGroupList' });
      expect(await complaint('get --raw /nowhere')).toBe(
        'Error from server (NotFound): the server could not find the requested resource\n',
      );
    });

    test('auth can-i', async () => {
      expect(await said('auth can-i create widgets')).toBe('yes\n');
      expect(await said('auth can-i get /metrics')).toBe('yes\n');
    });

    test.skipIf(minor < 28)('auth whoami (kubectl 1.28)', async () => {
      expect(await said('auth whoami -o jsonpath={.status.userInfo.groups}')).toBe(
        '["system:masters","system:authenticated"]',
      );
    });

    test('namespaces', async () => {
      expect(await said('create ns team')).toBe('namespace/team created\n');
      expect(await said('get ns team --no-headers')).toMatch(/^team +Active +\d+s\n$/);
      expect(await complaint('create ns team')).toBe(
        'Error from server (AlreadyExists): namespaces "team" already exists\n',
      );
      expect(await said('get ns -o name')).toMatch(/^namespace\/default\n/m);
    });

    test('proxy', async () => {
      const proxy = kubectl.start('proxy --port=0');
      const [, address] = await proxy.says(/Starting to serve on (\S+)/);
      const list = await (await fetch(`http://${address}${widgetsPath('empty')}`)).json();
      expect(list).toMatchObject({ kind: 'WidgetList', items: [] });
      await proxy.stop();
    });
  });

  describe('mistakes', () => {
    test('a name that is not there, or there already', async () => {
      expect(await complaint('get widget missing')).toBe(
        'Error from server (NotFound): widgets.example.com "missing" not found\n',
      );
      await make(widget('taken'));
      expect(await complaint('create -f -', [], widget('taken'))).toBe(
        'Error from server (AlreadyExists): error when creating "STDIN": widgets.example.com "taken" already exists\n',
      );
    });

    test('a kind that is not there', async () => {
      expect(await complaint('get nothings')).toBe(
        'error: the server doesn\'t have a resource type "nothings"\n',
      );
      expect(await complaint('create -f -', [], { ...widget('x'), kind: 'Wodget' })).toContain(
        'no matches for kind "Wodget" in version "example.com/v1"\n',
      );
    });

    test('a namespace that is not there', async () => {
      expect(await complaint('create -n nowhere -f -', [], widget('x'))).toBe(
        'Error from server (NotFound): error when creating "STDIN": namespaces "nowhere" not found\n',
      );
    });

    test('values that the schema refuses', async () => {
      expect(
        await complaint('create -f - --validate=false', [], widget('x', { color: 'pink', size: -1 })),
      ).toBe(
        'The Widget "x" is invalid: \n' +
          '* spec.color: Unsupported value: "pink": supported values: "blue", "green", "red"\n' +
          '* spec.size: Invalid value: -1: spec.size in body should be greater than or equal to 0\n',
      );
      expect(await complaint('create -f - --validate=false', [], widget('Not_A_Name'))).toContain(
        'The Widget "Not_A_Name" is invalid: metadata.name: Invalid value: "Not_A_Name": a lowercase RFC 1123 subdomain',
      );
    });

    test.skipIf(minor < 25)('a field that the schema does not know (kubectl 1.25)', async () => {
      expect(await complaint('create -f -', [], widget('x', { colour: 'blue' }))).toBe(
        'Error from server (BadRequest): error when creating "STDIN": Widget in version "v1" cannot be handled as a ' +
          'Widget: strict decoding error: unknown field "spec.colour"\n',
      );
      const { code, err } = await kubectl.run('create --validate=warn -f -', [], {
        input: widget('lenient', { colour: 'blue' }),
      });
      expect([code, err]).toEqual([0, 'Warning: unknown field "spec.colour"\n']);
    });

    test('selectors that cannot be served', async () => {
      expect(await complaint('get widgets --field-selector spec.size=1')).toBe(
        'Error from server (BadRequest): Unable to find "example.com/v1, Resource=widgets" that match label selector ' +
          '"", field selector "spec.size=1": field label not supported: spec.size\n',
      );
      expect(await complaint('get widgets -l', ['!!'])).toMatch(/unable to parse requirement|found '!'/);
    });
  });
});
