import { type JsonObject, type KubeObject, ownObject } from '../../meta/index.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { completePodSpec } from '../rules/pod-spec.ts';
import { containersCell, templateErrors } from '../rules/workload.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';

const templateOf = (object: KubeObject): JsonObject => ownObject(object, 'template') ?? {};
/** Converted to the form of kinds with a template in the spec. */
const inSpec = (object: KubeObject): KubeObject => ({ spec: { template: templateOf(object) } });

function labelsCell(object: KubeObject): string {
  const labels = ownObject(ownObject(templateOf(object), 'metadata') ?? {}, 'labels') ?? {};
  const pairs = Object.entries(labels).map(([name, value]) => `${name}=${String(value)}`);
  return pairs.length === 0 ? '<none>' : pairs.sort().join(',');
}

/** No controller creates pods from it. */
export const podTemplateKind: BuiltInKind = {
  strategy: ruledStrategy({
    returnsDeleted: true,
    validate: (object) => templateErrors('template', templateOf(object)),
  }),
  type: builtInType({
    group: '',
    version: 'v1',
    kind: 'PodTemplate',
    resource: 'podtemplates',
    namespaced: true,
    complete: (object) => completePodSpec(ownObject(templateOf(object), 'spec')),
    columns: [
      column('Containers', '', {
        read: (object) => containersCell(inSpec(object), 'name'),
        description: 'The names of its containers.',
      }),
      column('Images', '', {
        read: (object) => containersCell(inSpec(object), 'image'),
        description: 'The images of its containers.',
      }),
      column('Pod Labels', '', { read: labelsCell, description: 'The labels of its pods.' }),
      ageColumn,
    ],
  }),
};
