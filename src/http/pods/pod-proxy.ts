import { badRequestError, ownObject, ownString, unavailableError } from '../../meta/index.ts';
import type { PodConnection, PodConnectionKind } from './pod-connection.ts';

/** `proxy` of pods: nothing listens behind their addresses. Source: kubernetes, pkg/registry/core/pod/rest/subresources.go. */
export const podProxy: PodConnectionKind = {
  verbs: ['create', 'delete', 'get', 'patch', 'update'],
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  takesPath: true,
  async respond(request: PodConnection): Promise<never> {
    const pod = await request.pod();
    const address = ownString(ownObject(pod, 'status') ?? {}, 'podIP') ?? '';
    if (address === '') throw badRequestError('address not allowed');
    throw unavailableError('error trying to reach service: this server does not connect to pods');
  },
};
