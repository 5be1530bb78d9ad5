import { aggregateText, type FieldError, FieldPath, invalid, type KubeObject } from '../meta/index.ts';
import { conversionProblem, structuralErrors, surveySchema } from '../schema/index.ts';
import type { CrdCondition } from './conditions.ts';
import { schemaOf, specOf, textOf, versionsOf } from './spec-view.ts';

/** The condition `NonStructuralSchema` of a CRD, undefined if all of its schemas are structural. */
export function nonStructuralSchemaCondition(crd: KubeObject): CrdCondition | undefined {
  const type = 'NonStructuralSchema';
  const spec = specOf(crd);
  const errors: FieldError[] = [];
  if (spec['preserveUnknownFields'] === true) {
    errors.push(invalid(FieldPath.of('spec', 'preserveUnknownFields'), true, 'must be false'));
  }
  for (const [index, version] of versionsOf(spec).entries()) {
    const schema = schemaOf(version);
    if (schema === undefined || surveySchema(schema) !== undefined) continue;
    const unreadable = conversionProblem(schema);
    if (unreadable !== undefined) {
      const message = `failed to check validation schema for version ${textOf(version, 'name')}: ${unreadable}`;
      return { type, status: 'Unknown', reason: 'StructuralError', message };
    }
    const path = FieldPath.of('spec', 'versions').index(index).child('schema', 'openAPIV3Schema');
    errors.push(...structuralErrors(schema, path));
  }
  if (errors.length === 0) return undefined;
  return { type, status: 'True', reason: 'Violations', message: aggregateText(errors) };
}
