import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { encodeYaml } from '../codec/index.ts';
import { type KubeObject, metadataOf, metadataString } from '../meta/index.ts';
import { startServer } from '../server.ts';
import { snapshotDirectory } from '../storage/index.ts';
import { ApiClient, type ServedKind } from './api-client.ts';
import { words } from './flag-values.ts';

interface ExportFlags {
  readonly dataDir: string;
  readonly skip: readonly string[];
}

/** `ilk export`: everything in a data directory, as manifests. */
export function exportCommand(): Command {
  return new Command('export')
    .description('print every object of a data directory as YAML, whether or not a server is at work on it')
    .option('--data-dir <dir>', 'the data directory', './ilk-data')
    .option('--skip <resources>', 'resources to leave out: events, widgets.example.com', words, [])
    .action(run);
}

/** Works on a copy: the server at work is not disturbed, and the export shows one moment. */
async function run({ dataDir, skip }: ExportFlags): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'ilk-export-'));
  try {
    await snapshotDirectory(resolve(dataDir), folder);
    await using server = await startServer({
      storage: { kind: 'sqlite', dataDir: folder },
      listen: false,
      disableControllers: ['garbage-collector', 'namespace'],
    });
    const client = new ApiClient(server.fetch);
    for await (const object of everything(client, new Set(skip))) {
      await print(`---\n${encodeYaml(object).toString()}`);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A pipe that is slow to read is waited for. */
async function print(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

/** Every object, once, in an order in which they can be created: CRDs, namespaces, and what is in them. */
async function* everything(client: ApiClient, skip: ReadonlySet<string>): AsyncGenerator<KubeObject> {
  const seen = new Set<string>();
  for (const kind of exported(await client.kinds(), skip)) {
    for await (const object of client.objects(kind)) {
      // Some kinds are served in two groups: Event.
      const uid = metadataString(object, 'uid');
      if (uid !== '' && seen.has(uid)) continue;
      seen.add(uid);
      yield withoutVersion(object);
    }
  }
}

const firstKinds = ['CustomResourceDefinition', 'Namespace'];

/** Each resource in the version that its group prefers. */
function exported(kinds: readonly ServedKind[], skip: ReadonlySet<string>): ServedKind[] {
  const byResource = new Map<string, ServedKind>();
  for (const kind of kinds) {
    const group = kind.apiVersion.includes('/') ? kind.apiVersion.replace(/\/.*/, '') : '';
    const name = group === '' ? kind.resource : `${kind.resource}.${group}`;
    const isStored = kind.verbs.includes('list') && kind.verbs.includes('create');
    if (isStored && !skip.has(name) && !byResource.has(name)) byResource.set(name, kind);
  }
  const rank = ({ kind }: ServedKind) =>
    firstKinds.includes(kind) ? firstKinds.indexOf(kind) : firstKinds.length;
  return [...byResource.values()].sort((a, b) => rank(a) - rank(b));
}

/** The resourceVersion means nothing elsewhere; uids stay, for owners are told by them. */
function withoutVersion(object: KubeObject): KubeObject {
  const { resourceVersion: _, ...metadata } = metadataOf(object);
  return { ...object, metadata };
}
