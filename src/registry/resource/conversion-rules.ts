import type { ResourceType } from '../../crd/index.ts';
import { type ConnectConversion, converterOf } from '../representation/convert.ts';
import { FieldManagement } from './field-management.ts';
import type { ResourceRules } from './resource.ts';

/** The rules of a custom resource that depend on its conversion strategy. */
export function conversionRules(
  type: ResourceType,
  connect: ConnectConversion,
): Pick<ResourceRules, 'converter' | 'fields'> {
  const converter = converterOf(type, connect);
  return { converter, fields: new FieldManagement(type, { webhook: converter.webhook }) };
}
