import { createScene, coldScene } from './scenes/creates.ts';
import { getScene, getHttp2Scene } from './scenes/gets.ts';
import { listScene, longListScene } from './scenes/lists.ts';
import { openApiScene } from './scenes/openapi.ts';
import { startScene } from './scenes/starts.ts';
import { statusScenes } from './scenes/status.ts';
import { watchScene } from './scenes/watches.ts';
import type { Scene } from './row.ts';

/** Everything that is compared, in the order of the table. */
export const scenes: readonly Scene[] = [
  getHttp2Scene,
  getScene,
  listScene,
  longListScene,
  watchScene,
  createScene,
  coldScene,
  ...statusScenes,
  startScene,
  openApiScene,
];
