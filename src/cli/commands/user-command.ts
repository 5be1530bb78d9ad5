import { Command } from 'commander';
import { usualDataDir } from '../flags/data-folder.ts';
import { words } from '../flags/flag-values.ts';
import { addUser } from '../user/add-user.ts';
import { listUsers } from '../user/list-users.ts';
import { removeUser } from '../user/remove-user.ts';

/** `ilk user`: manages the users of a server, each with a client certificate. */
export function userCommand(): Command {
  const add = withDataFlags(new Command('add'))
    .description('write a kubeconfig for a user, with a client certificate')
    .argument('<name>', 'the user')
    .option('--group <name>', 'a group of the user; repeatable', words, [])
    .option('--role <clusterrole>', 'ClusterRole to bind to the user: edit, view, ...')
    .option('--namespace <name>', 'namespace that --role applies to (default: all)')
    .option('--expires <duration>', 'validity of the certificate: 90d, 12h', '365d')
    .option('--server <url>', 'server URL in the kubeconfig (default: that of the admin kubeconfig)')
    .option('--kubeconfig-out <file>', 'file to write the kubeconfig to (default: <name>.kubeconfig)')
    .action(addUser);
  const list = withDataFlags(new Command('list'))
    .description('list the users and when their certificates expire')
    .action(listUsers);
  const remove = withDataFlags(new Command('remove'))
    .description('remove a user: requests with its certificate are refused from now on')
    .argument('<name>', 'the user')
    .action(removeUser);
  return new Command('user')
    .description('add, list and remove the users of a server')
    .addCommand(add)
    .addCommand(list)
    .addCommand(remove);
}

function withDataFlags(command: Command): Command {
  return command
    .option('--data-dir <dir>', 'the data directory of the server', usualDataDir)
    .option('--cert-dir <dir>', 'directory of certificates of the server (default: <data-dir>/pki)');
}
