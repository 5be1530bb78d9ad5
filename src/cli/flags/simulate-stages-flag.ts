import { loadObjects, type LoadedObject, ofFlag } from '../../manifests/index.ts';
import { parseStages, type Stage } from '../../server.ts';

const flag = '--simulate-stages';

/** The Stages in files and folders. @throws {LoadError} {@link StageError} */
export async function simulateStages(paths: readonly string[]): Promise<readonly Stage[]> {
  const loaded: LoadedObject[] = [];
  for (const path of paths) loaded.push(...(await ofFlag(flag, path, loadObjects(path))));
  return parseStages(loaded);
}
