import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type IlkServer, startServer } from '../../src/library/index.ts';
import { FakeClock } from '../../src/testing/index.ts';
import { Kubectl, kubectlMinor } from '../fixtures/kubectl.ts';

let base: IlkServer;
let server: IlkServer;
let kubectl: Kubectl;
/** Stands still from now on: the certificates of the server are good for a year. */
const clock = new FakeClock(Math.floor(Date.now() / 1_000) * 1_000);

beforeAll(async () => {
  base = await startServer({ clock });
});
afterAll(() => base.close());
beforeEach(async () => {
  server = await startServer({ simulate: true, clock, listen: { tls: true } });
  kubectl = new Kubectl(server.kubeconfigPath);
});
afterEach(async () => {
  kubectl[Symbol.dispose]();
  await server.close();
});

const template = (app: string, annotations: object = {}, spec: object = {}) => ({
  metadata: { labels: { app }, annotations },
  spec: { containers: [{ name: 'main', image: 'example.com/main:1' }], ...spec },
});
const workload = (kind: string, name: string, spec: object, annotations: object = {}) => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name },
  spec: { selector: { matchLabels: { app: name } }, template: template(name, annotations), ...spec },
});
const job = (name: string, spec: object = {}, annotations: object = {}) => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name },
  spec: { template: template(name, annotations, { restartPolicy: 'Never' }), ...spec },
});

async function say(words: string, more: readonly string[] = [], input?: unknown): Promise<string> {
  const { code, out, err } = await kubectl.run(words, more, input === undefined ? {} : { input });
  return code === 0 ? out : `${out}${err}`;
}
const apply = (...items: object[]) =>
  say('apply -f -', [], { apiVersion: 'v1', kind: 'List', items: items as unknown[] });
const rollout = (what: string) => say(`rollout status ${what} --timeout=20s`);
const wait = (what: string, until: string) => say(`wait ${what} --timeout=20s`, [`--for=${until}`]);
const field = (what: string, path: string) => say(`get ${what} -o jsonpath={${path}}`);

describe.skipIf(kubectlMinor === undefined)('a cluster that is played', () => {
  test('a node is ready, a Deployment rolls out, and its Service leads to its pods', async () => {
    const service = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web' },
      spec: { type: 'LoadBalancer', selector: { app: 'web' }, ports: [{ port: 80 }] },
    };
    await apply(workload('Deployment', 'web', { replicas: 3 }), service);
    expect(await rollout('deployment web')).toMatch(/deployment "web" successfully rolled out\n$/);
    expect(await wait('node/node-1', 'condition=Ready')).toBe('node/node-1 condition met\n');
    expect(await wait('service/web', 'jsonpath={.status.loadBalancer.ingress[0].ip}=192.0.2.1')).toMatch(
      /condition met/,
    );
    expect(
      await wait(
        'endpointslice -l kubernetes.io/service-name=web',
        'jsonpath={.endpoints[2].conditions.ready}=true',
      ),
    ).toMatch(/condition met/);
    expect((await field('pods', '.items[*].status.phase')).split(' ')).toEqual([
      'Running',
      'Running',
      'Running',
    ]);
    expect(await field('deployment web', '.status.availableReplicas')).toBe('3');
  });

  test('an update makes a second ReplicaSet, undo goes back, a restart goes through, scaling and deletion follow', async () => {
    await apply(workload('Deployment', 'web', { replicas: 2 }));
    await rollout('deployment web');
    await say('set image deployment web main=example.com/main:2');
    await rollout('deployment web');
    expect(await field('pods', '.items[*].spec.containers[0].image')).toBe(
      'example.com/main:2 example.com/main:2',
    );
    expect(await say('rollout undo deployment web')).toBe('deployment.apps/web rolled back\n');
    await rollout('deployment web');
    expect(await field('pods', '.items[*].spec.containers[0].image')).toBe(
      'example.com/main:1 example.com/main:1',
    );
    expect(await say('rollout history deployment web')).toMatch(/^2 +<none>\n3 +<none>$/m);
    await say('rollout restart deployment web');
    expect(await rollout('deployment web')).toMatch(/successfully rolled out/);
    await say('scale deployment web --replicas=5');
    await rollout('deployment web');
    expect((await field('pods', '.items[*].metadata.name')).split(' ')).toHaveLength(5);
    await say('delete deployment web --cascade=foreground');
    expect(await say('get pods,replicasets -o name')).toBe('');
  });

  test('a pod whose image cannot be pulled holds the rollout until its deadline', async () => {
    const annotations = { 'simulate.ilk/phase': 'Pending', 'simulate.ilk/reason': 'ImagePullBackOff' };
    await apply(workload('Deployment', 'stuck', { progressDeadlineSeconds: 60 }, annotations));
    await wait(
      'pod -l app=stuck',
      'jsonpath={.status.containerStatuses[0].state.waiting.reason}=ImagePullBackOff',
    );
    const watching = kubectl.start('rollout status deployment stuck --timeout=20s');
    await watching.says(
      /Waiting for deployment "stuck" rollout to finish: 0 of 1 updated replicas are available/,
    );
    clock.advance(60_000);
    expect((await watching.ended()).err).toBe('error: deployment "stuck" exceeded its progress deadline\n');
  });

  test('stages go by the clock: ready after a minute, at its end after another', async () => {
    const annotations = { 'simulate.ilk/ready-after': '1m', 'simulate.ilk/end-after': '1m' };
    await apply(job('slow', {}, annotations));
    await wait('pod -l app=slow', 'jsonpath={.status.phase}=Pending');
    await wait('pod -l app=slow', 'condition=PodScheduled');
    await wait(
      'pod -l app=slow',
      'jsonpath={.status.containerStatuses[0].state.waiting.reason}=ContainerCreating',
    );
    clock.advance(60_000);
    await wait('pod -l app=slow', 'condition=Ready');
    expect(await field('job slow', '.status.conditions')).toBe('');
    clock.advance(60_000);
    expect(await wait('job/slow', 'condition=Complete')).toBe('job.batch/slow condition met\n');
  });

  test('jobs succeed, with indexes; those whose pods fail reach their backoff limit', async () => {
    await apply(
      job('many', { completions: 5, parallelism: 2, completionMode: 'Indexed' }),
      job('broken', { backoffLimit: 1 }, { 'simulate.ilk/phase': 'Failed', 'simulate.ilk/exit-code': '3' }),
    );
    expect(await wait('job/many', 'condition=Complete')).toBe('job.batch/many condition met\n');
    expect(await field('job many', '.status.completedIndexes')).toBe('0-4');
    expect(await wait('job/broken', 'condition=Failed')).toBe('job.batch/broken condition met\n');
    expect(
      await field('pods -l app=broken', '.items[*].status.containerStatuses[0].state.terminated.exitCode'),
    ).toBe('3 3');
  });

  test('a StatefulSet comes in order, with claims that are bound, and is updated from the last one on', async () => {
    const claim = {
      metadata: { name: 'data' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    };
    await apply(
      workload('StatefulSet', 'db', { replicas: 3, serviceName: 'db', volumeClaimTemplates: [claim] }),
    );
    expect(await rollout('statefulset db')).toMatch(
      /statefulset rolling update complete 3 pods|partitioned roll out complete: 3 new pods|statefulset "db"|3 pods at revision/,
    );
    expect(await field('pods', '.items[*].metadata.name')).toBe('db-0 db-1 db-2');
    expect(await field('pvc', '.items[*].status.phase')).toBe('Bound Bound Bound');
    await say('set image statefulset db main=example.com/main:2');
    await rollout('statefulset db');
    expect(await field('pods', '.items[*].spec.containers[0].image')).toBe(
      'example.com/main:2 example.com/main:2 example.com/main:2',
    );
    await say('scale statefulset db --replicas=1');
    await wait('pod/db-1', 'delete');
    await rollout('statefulset db');
    expect(await field('pods', '.items[*].metadata.name')).toBe('db-0');
  });

  test('a DaemonSet has a pod on each node that takes it, also on one that comes later', async () => {
    await apply(workload('DaemonSet', 'agent', {}));
    await rollout('daemonset agent');
    await apply({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-2' } });
    await wait('node/node-2', 'condition=Ready');
    await wait('daemonset/agent', 'jsonpath={.status.numberReady}=2');
    expect((await field('pods', '.items[*].spec.nodeName')).split(' ').sort()).toEqual(['node-1', 'node-2']);
    await say('taint node node-2 gpu=yes:NoExecute');
    await wait('daemonset/agent', 'jsonpath={.status.numberReady}=1');
  });

  test('a CronJob starts a Job at each of its times', async () => {
    const cronJob = {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: 'tick' },
      spec: { schedule: '*/5 * * * *', jobTemplate: { spec: job('tick').spec } },
    };
    await apply(cronJob);
    await wait('node/node-1', 'condition=Ready');
    expect(await say('get jobs -o name')).toBe('');
    const minutes = Math.floor(clock.now() / 300_000) * 5 + 5;
    // The controller has to have seen it before time goes on: its timer is there.
    await wait('cronjob/tick', 'jsonpath={.metadata.name}=tick');
    clock.set(minutes * 60_000 + 1_000);
    clock.advance(300_000);
    await wait('cronjob/tick', `jsonpath={.status.lastScheduleTime}`);
    expect(await wait(`job/tick-${minutes + 5}`, 'condition=Complete')).toMatch(/condition met/);
  });

  test('a pod that no node takes says so, and is bound once one does', async () => {
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'picky' },
      spec: { nodeSelector: { disk: 'fast' }, containers: [{ name: 'main', image: 'x' }] },
    };
    await apply(pod);
    await wait('pod/picky', 'condition=PodScheduled=false');
    expect(await field('pod picky', '.status.conditions[0].message')).toBe('0/1 nodes are available');
    await say('label node node-1 disk=fast');
    expect(await wait('pod/picky', 'condition=Ready')).toBe('pod/picky condition met\n');
  });

  test('a failed and restarted container has the status as in a cluster', async () => {
    await apply(workload('Deployment', 'crash', {}, { 'simulate.ilk/phase': 'Failed' }));
    await wait(
      'pod -l app=crash',
      'jsonpath={.status.containerStatuses[0].state.waiting.reason}=CrashLoopBackOff',
    );
    expect(await field('pods', '.items[0].status.containerStatuses[0].lastState.terminated.exitCode')).toBe(
      '1',
    );
    expect(await field('deployment crash', '.status.availableReplicas')).toBe('');
  });

  test('a pod has the log that its annotation says, and takes a container of kubectl debug', async () => {
    const spec = { containers: [{ name: 'main', image: 'x' }] };
    const metadata = { name: 'told', annotations: { 'simulate.ilk/log': 'one\ntwo\nthree\n' } };
    await apply({ apiVersion: 'v1', kind: 'Pod', metadata, spec });
    await wait('pod/told', 'condition=Ready');
    expect(await say('logs told')).toBe('one\ntwo\nthree\n');
    expect(await say('logs told --tail=1')).toBe('three\n');
    expect(await say('logs told --limit-bytes=5')).toBe('one\nt');
    expect(await say('logs told -c other')).toContain('container other is not valid for pod told');
    await say('debug told --image=busybox --target=main');
    expect(await field('pod told', '.spec.ephemeralContainers[*].image')).toBe('busybox');
  });
});

test('without the option nothing is played', async () => {
  expect(await (await base.fetch('/api/v1/nodes')).json()).toMatchObject({ items: [] });
});

test('names are the same every time', async () => {
  const names = async (one: IlkServer) => {
    const body = JSON.stringify(workload('Deployment', 'web', { replicas: 2 }));
    const headers = { 'content-type': 'application/json' };
    await one.fetch('/apis/apps/v1/namespaces/default/deployments', { method: 'POST', headers, body });
    const listed = async () => {
      const { items } = JSON.parse(await (await one.fetch('/api/v1/pods')).text());
      return items.map((item: { metadata: { name: string } }) => item.metadata.name);
    };
    await expect.poll(listed).toHaveLength(2);
    return listed();
  };
  await using another = await startServer({ simulate: true, clock, listen: false });
  expect(await names(server)).toEqual(await names(another));
});
