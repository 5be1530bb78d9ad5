import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IlkServer, startServer } from '../../src/server.ts';
import { Kubectl, kubectlMinor } from '../fixtures/kubectl.ts';

describe.skipIf(kubectlMinor === undefined)('kubectl (skipped where it is not on the PATH)', () => {
  let server: IlkServer;
  let kubectl: Kubectl;
  beforeAll(async () => {
    server = await startServer({ listen: { host: '127.0.0.1', port: 0, tls: true } });
    kubectl = new Kubectl(server.kubeconfigPath);
  });
  afterAll(async () => {
    kubectl[Symbol.dispose]();
    await server.close();
  });

  /** What a command prints, where it succeeds without a complaint. */
  async function said(words: string, input?: unknown): Promise<string> {
    const { code, out, err } = await kubectl.run(words, [], { input });
    expect({ code, err, out: code === 0 ? '' : out }).toEqual({ code: 0, err: '', out: '' });
    return out;
  }

  test('makes, shows, labels and patches a ConfigMap', async () => {
    expect(await said('create configmap settings --from-literal=a=1 --from-literal=b=2')).toBe(
      'configmap/settings created\n',
    );
    expect(await said('get cm settings')).toMatch(/^NAME {7}DATA {3}AGE\nsettings {3}2 {6}\d+s\n$/);
    expect(await said('label cm settings shelf=top')).toBe('configmap/settings labeled\n');
    expect(await said('patch cm settings -p {"data":{"a":null}}')).toBe('configmap/settings patched\n');
    expect(await said('get cm -l shelf=top -o jsonpath={.items[0].data}')).toBe('{"b":"2"}');
  });

  test('makes secrets', async () => {
    await said('create secret generic login --from-literal=password=hidden');
    expect(await said('get secret login -o jsonpath={.type}:{.data.password}')).toBe('Opaque:aGlkZGVu');
    await said('create secret docker-registry pull --docker-username=u --docker-password=p');
    expect(await said('get secret pull -o jsonpath={.type}')).toBe('kubernetes.io/dockerconfigjson');
  });

  test('makes and scales a Deployment', async () => {
    expect(await said('create deployment web --image=nginx')).toBe('deployment.apps/web created\n');
    expect(await said('scale deployment web --replicas=3')).toBe('deployment.apps/web scaled\n');
    expect(await said('get deploy web')).toMatch(
      /^NAME {3}READY {3}UP-TO-DATE {3}AVAILABLE {3}AGE\nweb {4}0\/3 {5}0 {12}0 {11}\d+s\n$/,
    );
    await said('set image deployment/web nginx=nginx:1.27');
    expect(await said('get deploy web -o jsonpath={..image}/{..imagePullPolicy}')).toBe('nginx:1.27/Always');
  });

  test('applies a Deployment: a container that is taken out goes', async () => {
    const of = (...names: string[]) => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'applied' },
      spec: {
        selector: { matchLabels: { app: 'applied' } },
        template: {
          metadata: { labels: { app: 'applied' } },
          spec: { containers: names.map((name) => ({ name, image: `${name}:v1` })) },
        },
      },
    });
    const names = 'get deployment applied -o jsonpath={.spec.template.spec.containers[*].name}';
    expect(await said('apply -f -', of('a', 'b'))).toBe('deployment.apps/applied created\n');
    expect(await said('apply -f -', of('a', 'b'))).toBe('deployment.apps/applied unchanged\n');
    expect(await said('apply -f -', of('c', 'a'))).toBe('deployment.apps/applied configured\n');
    expect(await said(names)).toBe('c a');
  });

  test('explains fields', async () => {
    expect(await said('explain deployment.spec.template.spec.containers.env')).toContain('name');
    expect(await said('explain secret.data')).toMatch(/FIELD: +data <map\[string\]string>/);
  });

  test('exposes a Deployment and runs a Pod', async () => {
    await said('create deployment shown --image=nginx --port=80');
    expect(await said('expose deployment shown')).toBe('service/shown exposed\n');
    expect(await said('get svc shown -o jsonpath={.spec.ports[0].targetPort}')).toBe('80');
    expect(await said('run one --image=nginx --restart=Never')).toBe('pod/one created\n');
    expect(await said('get pod one --no-headers')).toMatch(/^one +0\/1 +Pending +0 +\d+s\n$/);
    await said('delete pod one --grace-period=0 --force=false');
  });
});
