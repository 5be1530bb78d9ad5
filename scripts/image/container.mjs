// Runs the image as docs/tasks/run-in-docker.md does, with less rights, and asks it from outside with kubectl.
import { equal, match } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { run } from './builder.mjs';

const readyMsMax = 60_000;
const stopMsMax = 10_000;

const widgets = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};
const widget = {
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'kept', namespace: 'default' },
};

/** Starts a container with a read-only root, restarts it, and ends it. Gives the milliseconds that starting and stopping took. */
export async function checkContainer(builder, image, folder) {
  const { call } = builder;
  const volume = call(['volume', 'create']).trim();
  const restricted = ['--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'];
  const place = ['--tmpfs', '/tmp', '-v', `${volume}:/var/lib/ilk`, '-p', '127.0.0.1::6443'];
  const begunMs = Date.now();
  const id = call(['run', '--detach', ...restricted, ...builder.start, ...place, image]).trim();
  try {
    await untilHealthy(builder, id);
    const startMs = Date.now() - begunMs;
    checkRights(builder, id, folder);
    const before = kubectlOn(builder, id, folder);
    before(['create', '-f', '-'], widgets);
    before(['wait', '--for=condition=Established', 'crd/widgets.example.com']);
    before(['create', '-f', '-'], widget);
    const stopMs = stop(builder, id);
    call(['start', id]);
    await untilHealthy(builder, id);
    equal(kubectlOn(builder, id, folder)(['get', 'widgets', '-o', 'name']), 'widget.example.com/kept\n');
    checkBackup(builder, image, id, volume);
    stop(builder, id);
    return { startMs, stopMs };
  } catch (error) {
    console.error(call(['logs', id]));
    throw error;
  } finally {
    call(['rm', '--force', '--volumes', id]);
    call(['volume', 'rm', '--force', volume]);
  }
}

/** A backup of the server that runs is restored by another container, to a volume of its own. */
function checkBackup({ call, start }, image, id, volume) {
  const file = 'ilk.backup';
  call([
    'exec',
    id,
    'node',
    '/opt/ilk/bin/ilk',
    'backup',
    '--data-dir',
    '/var/lib/ilk',
    `/var/lib/ilk/${file}`,
  ]);
  const restored = call(['volume', 'create']).trim();
  const place = ['--read-only', '--tmpfs', '/tmp', '-v', `${restored}:/var/lib/ilk`];
  const once = (...args) => call(['run', '--rm', ...start, ...place, ...args]);
  const script = `
    const args = ['/opt/ilk/bin/ilk', 'export', '--data-dir', '/var/lib/ilk'];
    const text = require('node:child_process').execFileSync(process.execPath, args, { encoding: 'utf8' });
    process.exitCode = /^ +name: "?kept"?$/m.test(text) ? 0 : 1;`;
  try {
    once('-v', `${volume}:/from:ro`, image, 'restore', '--data-dir', '/var/lib/ilk', `/from/${file}`);
    once('--entrypoint', 'node', image, '-e', script);
  } finally {
    call(['volume', 'rm', '--force', restored]);
  }
}

async function untilHealthy({ name, call }, id) {
  const deadlineMs = Date.now() + readyMsMax;
  const isHealthy =
    name === 'docker'
      ? () => call(['inspect', '--format', '{{.State.Health.Status}}', id]).trim() === 'healthy'
      : () => succeeds(() => call(['healthcheck', 'run', id]));
  while (!isHealthy()) {
    const running = call(['inspect', '--format', '{{.State.Running}}', id]).trim();
    if (running !== 'true' || Date.now() > deadlineMs)
      throw new Error('the container does not become healthy');
    await wait(100);
  }
}

function succeeds(act) {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}

/**
 * The server is user 65532 without capabilities, and can write to its volume and /tmp only. The answer comes in a file: podman may cut
 * off what `exec` writes (its issue 9096).
 */
function checkRights({ call }, id, folder) {
  const script = `
    const { readFileSync, writeFileSync } = require('node:fs');
    const write = (path) => { try { writeFileSync(path, ''); return 'written'; } catch ({ code }) { return code; } };
    const [, capabilities] = /CapEff:\\s+(\\w+)/.exec(readFileSync('/proc/1/status', 'utf8'));
    const paths = ['/x', '/opt/ilk/x', '/usr/local/bin/x', '/etc/x', '/tmp/x', '/var/lib/ilk/x'];
    const found = [process.getuid(), process.getgid(), Number(capabilities), ...paths.map(write)];
    writeFileSync('/var/lib/ilk/rights.json', JSON.stringify(found));`;
  call(['exec', id, 'node', '-e', script]);
  const file = join(folder, 'rights.json');
  call(['cp', `${id}:/var/lib/ilk/rights.json`, file]);
  equal(
    readFileSync(file, 'utf8'),
    JSON.stringify([65532, 65532, 0, 'EROFS', 'EROFS', 'EROFS', 'EROFS', 'written', 'written']),
  );
}

/** kubectl with the kubeconfig that the server wrote. */
function kubectlOn({ call }, id, folder) {
  const kubeconfig = join(folder, 'admin.kubeconfig');
  call(['cp', `${id}:/var/lib/ilk/admin.kubeconfig`, kubeconfig]);
  const [address] = call(['port', id, '6443/tcp']).trim().split('\n');
  match(address, /^127\.0\.0\.1:\d+$/);
  return (args, input) =>
    run('kubectl', ['--kubeconfig', kubeconfig, '--server', `https://${address}`, ...args], {
      input: input === undefined ? '' : JSON.stringify(input),
    });
}

function stop({ call }, id) {
  const begunMs = Date.now();
  call(['stop', id]);
  const stopMs = Date.now() - begunMs;
  equal(call(['inspect', '--format', '{{.State.ExitCode}}', id]).trim(), '0');
  if (stopMs > stopMsMax) throw new Error(`SIGTERM takes ${stopMs} ms`);
  return stopMs;
}
