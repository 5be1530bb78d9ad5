import { decodeYaml } from '../codec/index.ts';
import { isObject, type JsonObject, own, ownList, ownObject, ownString } from '../meta/index.ts';

/** A remote server and the credentials for it. */
export interface RemoteService {
  /** The URL that reviews are posted to. */
  readonly url: string;
  /** The trusted CAs; the system's if undefined. */
  readonly caPem: string | undefined;
  readonly certPem: string | undefined;
  readonly keyPem: string | undefined;
  readonly token: string | undefined;
  /** The name that the certificate must be valid for, if not the URL's host. */
  readonly serverName: string | undefined;
}

/** A kubeconfig without a usable server. */
class ServiceKubeconfigError extends Error {
  override readonly name = 'ServiceKubeconfigError';
}

/**
 * Reads the kubeconfig of a webhook: the server of its current context, with a client certificate or a bearer token.
 * Referenced files are read by `readFile`.
 *
 * @throws {ServiceKubeconfigError} if it is not a kubeconfig, if the server is not https, and for unsupported
 * credentials
 */
export async function readServiceKubeconfig(
  text: string,
  readFile: (path: string) => Promise<string>,
): Promise<RemoteService> {
  const { value } = decodeYaml(Buffer.from(text));
  const config = isObject(value) ? value : {};
  const context = named(config, 'contexts', 'context', ownString(config, 'current-context') ?? '');
  const cluster = named(config, 'clusters', 'cluster', (context && ownString(context, 'cluster')) ?? '');
  const user = named(config, 'users', 'user', (context && ownString(context, 'user')) ?? '') ?? {};
  if (cluster === undefined)
    throw new ServiceKubeconfigError('its current context names no cluster that is there');
  const url = ownString(cluster, 'server') ?? '';
  if (!url.startsWith('https://') || !URL.canParse(url))
    throw new ServiceKubeconfigError('want a server of https');
  refuseOthers(cluster, user);
  const pem = async (object: JsonObject, key: string) => {
    const data = ownString(object, `${key}-data`) ?? '';
    if (data !== '') return Buffer.from(data, 'base64').toString();
    const file = ownString(object, key) ?? '';
    return file === '' ? undefined : readFile(file);
  };
  const tokenFile = ownString(user, 'tokenFile') ?? '';
  return {
    url,
    caPem: await pem(cluster, 'certificate-authority'),
    certPem: await pem(user, 'client-certificate'),
    keyPem: await pem(user, 'client-key'),
    token: ownString(user, 'token') ?? (tokenFile === '' ? undefined : (await readFile(tokenFile)).trim()),
    serverName: ownString(cluster, 'tls-server-name'),
  };
}

function named(config: JsonObject, list: string, key: string, name: string): JsonObject | undefined {
  const entry = (ownList(config, list) ?? [])
    .filter(isObject)
    .find((one) => (ownString(one, 'name') ?? '') === name);
  return entry && ownObject(entry, key);
}

/** Unsupported settings must not be ignored silently. */
function refuseOthers(cluster: JsonObject, user: JsonObject): void {
  if (own(cluster, 'insecure-skip-tls-verify') === true)
    throw new ServiceKubeconfigError('insecure-skip-tls-verify: want the authority of the server instead');
  const other = ['exec', 'auth-provider', 'username'].find((key) => own(user, key) !== undefined);
  if (other !== undefined) throw new ServiceKubeconfigError(`${other}: want a client certificate or a token`);
}
