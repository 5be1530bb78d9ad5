import { badRequestError, nameOf } from '../../meta/index.ts';
import { nodeNameOf, noKubeletError, type PodConnection, type PodConnectionKind } from './pod-connection.ts';

/**
 * `exec`, `attach` and `portforward` of pods. Source: kubernetes, pkg/registry/core/pod/strategy.go, streamLocation and
 * PortForwardLocation.
 *
 * @param path the path of the kubelet
 */
function stream(path: string, { hasContainer = true } = {}): PodConnectionKind {
  return {
    verbs: ['create', 'get'],
    methods: ['GET', 'POST'],
    async respond(request: PodConnection): Promise<never> {
      const pod = await request.pod();
      const container = hasContainer ? `/${request.container(pod)}` : '';
      const nodeName = nodeNameOf(pod);
      if (nodeName === '') throw badRequestError(`pod ${nameOf(pod)} does not have a host assigned`);
      const address = await request.kubeletAddress(nodeName);
      if (request.http.header('upgrade') === undefined) throw badRequestError('Upgrade request required');
      throw noKubeletError(`https://${address}/${path}/${request.path.namespace}/${nameOf(pod)}${container}`);
    },
  };
}

export const podExec = stream('exec');
export const podAttach = stream('attach');
export const podPortForward = stream('portForward', { hasContainer: false });
