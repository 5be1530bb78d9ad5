import { type ResourceType, scaleSchema } from '../../crd/index.ts';
import { ageColumn, builtInType, column } from '../definition/kind.ts';

/**
 * autoscaling/v1 Scale: no resource of its own, but what `/scale` of others speaks. Its type serves to decode it and to
 * show it as a table.
 */
export const scaleResourceType: ResourceType = builtInType({
  group: 'autoscaling',
  version: 'v1',
  kind: 'Scale',
  resource: 'scales',
  namespaced: true,
  columns: [
    column('Desired', '.spec.replicas', { type: 'integer', description: 'Number of desired replicas' }),
    column('Available', '.status.replicas', { type: 'integer', description: 'Number of actual replicas' }),
    ageColumn,
  ],
  properties: {},
  schema: scaleSchema,
});
