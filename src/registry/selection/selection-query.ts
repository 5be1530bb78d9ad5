import { absentBucket, bucketOf, type IndexDefinition, type Query, textOfBucket } from '../../cache/index.ts';
import {
  type FieldCondition,
  type LabelRequirement,
  labelRequirementText,
  meetsLabelRequirement,
} from '../../meta/index.ts';
import type { Representations } from '../representation/representation.ts';

/** A condition on a field as an index query. */
export function fieldQuery(
  index: IndexDefinition<Representations>,
  { values, negated }: FieldCondition,
): Query<Representations> {
  return { kind: negated ? 'notIn' : 'in', index, buckets: values.map(bucketOf) };
}

/** A condition on a label as an index query. */
export function labelQuery(
  index: IndexDefinition<Representations>,
  requirement: LabelRequirement,
): Query<Representations> {
  const buckets = requirement.values.map(bucketOf);
  switch (requirement.operator) {
    case '=':
    case '==':
    case 'in':
      return { kind: 'in', index, buckets };
    case '!=':
    case 'notin':
      return { kind: 'notIn', index, buckets };
    case 'exists':
      return { kind: 'notIn', index, buckets: [absentBucket] };
    case '!':
      return { kind: 'in', index, buckets: [absentBucket] };
    case 'gt':
    case 'lt': {
      const what = labelRequirementText(requirement).slice(requirement.key.length);
      const get = (bucket: string) => () => textOfBucket(bucket);
      const test = (bucket: string) => meetsLabelRequirement(requirement, { get: get(bucket) });
      return { kind: 'where', index, what, test };
    }
  }
}
