import type { AdmissionAttributes, Operation } from '../../admission/index.ts';
import { type KubeObject, nameOf } from '../../meta/index.ts';
import type { RequestContext } from '../request/context.ts';
import type { Endpoint } from '../../kinds/index.ts';
import type { Target } from '../resource/target.ts';

/** What admission is told of a write. */
export function attributesOf(
  target: Target,
  write: {
    readonly operation: Operation;
    readonly object?: KubeObject;
    readonly oldObject?: KubeObject;
    readonly endpoint?: Endpoint;
    readonly dryRun: boolean;
    readonly context: RequestContext;
  },
): AdmissionAttributes {
  const { type, version, resource, namespace } = target;
  return {
    operation: write.operation,
    resource: resource.groupResource,
    kind: { group: type.group, version: version.name, kind: type.kind },
    subresource: write.endpoint ?? '',
    namespace,
    name: nameOf(write.object ?? write.oldObject ?? {}),
    object: write.object,
    oldObject: write.oldObject,
    dryRun: write.dryRun,
    asOf: target.asOf,
    user: write.context.user,
  };
}
