import type { ObjectsCase } from './objects-case.ts';
import type { PlaygroundCase } from './playground-case.ts';

/** What the thread of the playground does: one write with all its reasons, or many objects with their errors. */
export type PlaygroundTask = { readonly write: PlaygroundCase } | { readonly objects: ObjectsCase };
