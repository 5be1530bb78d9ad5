import type { JsonObject } from '../../../meta/index.ts';
import { metaModels } from './meta-v1.ts';
import { int32, model, ofKind, ref, text, typeMeta } from './notation.ts';

const home = 'io.k8s.api.autoscaling.v1.';

/** The model name of the `/scale` subresource. */
export const scaleModel = `${home}Scale`;

/** The part of autoscaling/v1 that `/scale` uses. */
export const autoscalingV1: JsonObject = {
  [scaleModel]: model(
    'How many replicas something has and shall have.',
    {
      ...typeMeta,
      metadata: { ...ref(metaModels.objectMeta, 'The metadata of what is scaled.'), default: {} },
      spec: { ...ref(`${home}ScaleSpec`, 'What shall be.'), default: {} },
      status: { ...ref(`${home}ScaleStatus`, 'What is. Read-only.'), default: {} },
    },
    { extensions: ofKind('autoscaling', 'v1', 'Scale') },
  ),
  [`${home}ScaleSpec`]: model('How many replicas there shall be.', {
    replicas: { ...int32('The number of replicas that is wanted.'), default: 0 },
  }),
  [`${home}ScaleStatus`]: model(
    'How many replicas there are.',
    {
      replicas: { ...int32('The number of replicas that was last seen.'), default: 0 },
      selector: text('A label selector, as text, that finds the replicas.'),
    },
    { required: ['replicas'] },
  ),
};
