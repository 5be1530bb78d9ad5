/** The entry point of `kube-apiserver` in an asset folder. */
import { runKubeApiserver } from './kube-apiserver.ts';

runKubeApiserver(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: Error) => {
    process.stderr.write(`ilk in kube-apiserver's place: ${error.message}\n`);
    process.exit(1);
  },
);
