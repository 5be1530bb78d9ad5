import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { encodeYaml } from '../../codec/index.ts';
import {
  type KubeObject,
  metadataOf,
  metadataString,
  nameOf,
  namespaceOf,
  own,
  ownString,
  parseGroupVersion,
  stringMap,
} from '../../meta/index.ts';
import { targetOf, Warnings } from '../../registry/index.ts';
import { type ServerInside, startServerInside } from '../../server.ts';
import { snapshotDirectory } from '../../storage/index.ts';
import { ApiClient, type ServedKind } from '../../client/index.ts';
import { encryptionFlag, encryptionOf } from '../flags/encryption-flag.ts';
import { words } from '../flags/flag-values.ts';

interface ExportFlags {
  readonly dataDir: string;
  readonly skip: readonly string[];
  readonly encryptionProviderConfig?: string;
}

/** `ilk export`: writes the contents of a data directory as manifests. */
export function exportCommand(): Command {
  return new Command('export')
    .description('print every object of a data directory as YAML; a server may be running on it')
    .option('--data-dir <dir>', 'the data directory', './ilk-data')
    .option(`${encryptionFlag} <file>`, 'EncryptionConfiguration file of the server, if it encrypts objects')
    .option('--skip <resources>', 'resources to skip: events, widgets.example.com', words, [])
    .action(run);
}

/** Works on a copy: a running server is not disturbed, and the export is consistent. */
async function run({ dataDir, skip, encryptionProviderConfig }: ExportFlags): Promise<void> {
  const encryption = await encryptionOf(encryptionProviderConfig);
  const folder = await mkdtemp(join(tmpdir(), 'ilk-export-'));
  try {
    await snapshotDirectory(resolve(dataDir), folder);
    const inside = await startServerInside({
      storage: { kind: 'sqlite', dataDir: folder },
      ...encryption,
      listen: false,
      disableControllers: ['garbage-collector', 'namespace'],
    });
    try {
      for await (const object of everything(inside, new Set(skip))) {
        await print(`---\n${encodeYaml(object).toString()}`);
      }
    } finally {
      await inside.server.close();
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Waits for a slow reader of the pipe. */
async function print(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

/** All objects once, in an order in which they can be created: CRDs, namespaces, then the objects in them. */
async function* everything(inside: ServerInside, skip: ReadonlySet<string>): AsyncGenerator<KubeObject> {
  const client = new ApiClient(inside.server.fetch);
  const seen = new Set<string>();
  const kinds = await client.kinds();
  for (const preferred of exported(kinds, skip)) {
    const versionOf = await storedVersions(inside, preferred);
    for (const kind of kinds.filter((one) => isSameResource(one, preferred))) {
      for await (const object of client.objects(kind)) {
        if (versionOf(object) !== kind.apiVersion || isAutomanaged(object)) continue;
        // Some kinds are served in two groups: Event.
        const uid = metadataString(object, 'uid');
        if (uid !== '' && seen.has(uid)) continue;
        seen.add(uid);
        yield withoutVersion(object);
      }
    }
  }
}

/** The APIServices of what a server serves: it writes them by itself. */
function isAutomanaged(object: KubeObject): boolean {
  const labels = stringMap(own(metadataOf(object), 'labels'));
  return object['kind'] === 'APIService' && labels.has('kube-aggregator.kubernetes.io/automanaged');
}

/**
 * Returns the version in which to export an object: its stored version, because a conversion may drop fields; the
 * preferred version if the stored one is no longer served.
 */
async function storedVersions(
  { registry, user }: ServerInside,
  { apiVersion: preferred, resource }: ServedKind,
): Promise<(object: KubeObject) => string> {
  const { group, version } = parseGroupVersion(preferred) ?? { group: '', version: '' };
  const served = await registry.find(group, version, resource);
  if (served === undefined || served.type.isBuiltIn || served.type.versions.length === 1)
    return () => preferred;
  const names = served.type.versions.filter((one) => one.served).map(({ name }) => `${group}/${name}`);
  const context = { user, fieldManager: '', signal: new AbortController().signal, warnings: new Warnings() };
  const { objects } = await registry.listStored(targetOf(served, ''), context);
  const byKey = new Map(objects.map((object) => [keyOf(object), ownString(object, 'apiVersion') ?? '']));
  return (object) => {
    const stored = byKey.get(keyOf(object)) ?? preferred;
    return names.includes(stored) ? stored : preferred;
  };
}

const keyOf = (object: KubeObject) => `${namespaceOf(object)}/${nameOf(object)}`;

const groupOf = ({ apiVersion }: ServedKind) =>
  apiVersion.includes('/') ? apiVersion.replace(/\/.*/, '') : '';

function isSameResource(one: ServedKind, other: ServedKind): boolean {
  return one.resource === other.resource && groupOf(one) === groupOf(other);
}

const firstKinds = ['CustomResourceDefinition', 'Namespace'];

/** Each resource in the preferred version of its group. */
function exported(kinds: readonly ServedKind[], skip: ReadonlySet<string>): ServedKind[] {
  const byResource = new Map<string, ServedKind>();
  for (const kind of kinds) {
    const group = groupOf(kind);
    const name = group === '' ? kind.resource : `${kind.resource}.${group}`;
    const isStored = kind.verbs.includes('list') && kind.verbs.includes('create');
    if (isStored && !skip.has(name) && !byResource.has(name)) byResource.set(name, kind);
  }
  const rank = ({ kind }: ServedKind) =>
    firstKinds.includes(kind) ? firstKinds.indexOf(kind) : firstKinds.length;
  return [...byResource.values()].sort((a, b) => rank(a) - rank(b));
}

/** The resourceVersion is valid only in its storage; uids are kept, because owner references use them. */
function withoutVersion(object: KubeObject): KubeObject {
  const { resourceVersion: _, ...metadata } = metadataOf(object);
  return { ...object, metadata };
}
