import { conflictError, staleObjectText, type StatusError } from '../../meta/index.ts';
import type { ObjectTarget } from '../resource/target.ts';

/** Another writer was faster, or may have been. */
export function staleError({ resource, name }: ObjectTarget): StatusError {
  return conflictError(resource.groupResource, name, staleObjectText);
}
