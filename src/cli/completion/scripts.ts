import { bash } from './bash.ts';
import { fish } from './fish.ts';
import type { CompletionScript } from './words.ts';
import { zsh } from './zsh.ts';

/** All shells; a new one is a file and a line here. */
export const completionScripts: ReadonlyMap<string, CompletionScript> = new Map([
  ['bash', bash],
  ['zsh', zsh],
  ['fish', fish],
]);
