/** The entry point of `etcd` in an asset folder: a separate bundle, so that it starts fast. */
import { startEtcdStandIn } from './etcd-stand-in.ts';

startEtcdStandIn(process.argv.slice(2)).then(
  (standIn) => {
    const end = () => void standIn.close().then(() => process.exit(0));
    process.on('SIGTERM', end);
    process.on('SIGINT', end);
  },
  (error: Error) => {
    process.stderr.write(`ilk in etcd's place: ${error.message}\n`);
    process.exit(1);
  },
);
