import type { JsonObject } from '../../../meta/index.ts';
import { metaModels } from './meta-v1.ts';
import { int32, model, ofKind, ref, text, typeMeta } from './notation.ts';

const home = 'io.k8s.api.autoscaling.v1.';

/** The model name of the `/scale` subresource. */
export const scaleModel = `${home}Scale`;

/** The part of autoscaling/v1 that `/scale` uses. */
export const autoscalingV1: JsonObject = {
  [scaleModel]: model(
    'The current and the desired number of replicas of an object.',
    {
      ...typeMeta,
      metadata: { ...ref(metaModels.objectMeta, 'The metadata of the scaled object.'), default: {} },
      spec: { ...ref(`${home}ScaleSpec`, 'What shall be.'), default: {} },
      status: { ...ref(`${home}ScaleStatus`, 'The current state. Read-only.'), default: {} },
    },
    { extensions: ofKind('autoscaling', 'v1', 'Scale') },
  ),
  [`${home}ScaleSpec`]: model('The desired state.', {
    replicas: { ...int32('The desired number of replicas.'), default: 0 },
  }),
  [`${home}ScaleStatus`]: model(
    'The current state.',
    {
      replicas: { ...int32('The last observed number of replicas.'), default: 0 },
      selector: text('The label selector of the replicas, as a string.'),
    },
    { required: ['replicas'] },
  ),
};
