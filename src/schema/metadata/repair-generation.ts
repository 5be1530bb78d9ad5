import { isObject, type JsonObject, own } from '../../meta/index.ts';

/** Objects stored before generations were counted get generation 1. */
export function repairGeneration(object: JsonObject): void {
  const metadata = own(object, 'metadata');
  if (isObject(metadata) && own(metadata, 'generation') === undefined) metadata['generation'] = 1;
}
