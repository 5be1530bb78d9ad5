import { type FlagValues, neverDamaged, type ReadFlagFile, type StorageDriver } from '../driver.ts';
import { addressList, passwordFlag, textFlag } from '../flag-values.ts';
import { tlsFlagForms, tlsFlags } from '../tls-flags.ts';
import { viewOfStore } from '../view-of-store.ts';
import { KeyMap } from './key-map.ts';
import { openEtcdStore } from './open-etcd-store.ts';
import type { EtcdStorageOptions, EtcdUser } from './options.ts';

export const etcdDriver: StorageDriver<EtcdStorageOptions> = {
  kind: 'etcd',
  addressFlag: {
    form: '--etcd-servers <urls>',
    help: 'store objects in etcd at these URLs: https://host:2379,...',
    kind: 'list',
  },
  // kube-apiserver's flags, and two for users of etcd, which it has not.
  flags: [
    {
      form: '--etcd-prefix <prefix>',
      help: 'the prefix of every key in etcd',
      default: '/registry',
    },
    ...tlsFlagForms('etcd', 'etcd', "etcd's certificates"),
    { form: '--etcd-username <name>', help: 'user name for etcd' },
    {
      form: '--etcd-password-file <file>',
      help: 'file with the password of --etcd-username',
    },
  ],
  migrate: { suffix: '-etcd', form: '<urls>', what: 'the etcd' },
  fromFlags: async (address, flags, readFile) => ({
    kind: 'etcd',
    endpoints: addressList(address),
    prefix: textFlag(flags, 'etcdPrefix') ?? '/registry',
    ...(await tlsFlags('etcd', flags, readFile)),
    ...(await userOf(flags, readFile)),
  }),
  view: async (options, parts) => viewOfStore(await etcdDriver.open(options, parts), parts),
  async open({ endpoints, prefix = '/registry', tls, user }, { root, onTrouble }) {
    const store = await openEtcdStore({
      endpoints,
      root,
      prefix,
      ...(tls && { tls }),
      ...(user && { user }),
      onTrouble,
    });
    const keys = new KeyMap({ root, prefix });
    return {
      store,
      keyInDatabase: (key) => keys.toEtcd(key).toString(),
      name: 'etcd',
      place: endpoints.join(', '),
      health: () => store.health(),
      damaged: neverDamaged(),
      shared: true,
      startCompaction({ repeat, onTrouble: onFailure }) {
        const compaction = store.compaction();
        return repeat(() => void compaction.takeTurn().catch(onFailure));
      },
    };
  },
};

async function userOf(flags: FlagValues, readFile: ReadFlagFile): Promise<{ readonly user?: EtcdUser }> {
  const name = textFlag(flags, 'etcdUsername');
  const password = await passwordFlag(flags, 'etcdPasswordFile', readFile);
  if ((name === undefined) !== (password === undefined)) {
    throw new Error('--etcd-username and --etcd-password-file need each other');
  }
  return name === undefined || password === undefined ? {} : { user: { name, password } };
}
