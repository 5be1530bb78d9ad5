import { parentPort } from 'node:worker_threads';
import { atOnce } from '../meta/index.ts';
import { DecodeError } from './decode-error.ts';
import { documentEvents } from './yaml/document-events.ts';
import { packEvents } from './yaml/packed-events.ts';
import type { YamlDocumentText } from './yaml/yaml-text.ts';

/** The response of the thread: the events, and the text they refer to if lines of it were moved; or an error. */
export type ParsedByThread =
  | { readonly packed: Int32Array<ArrayBuffer>; readonly text: string | undefined }
  | { readonly refused: string }
  | { readonly tooDeep: true };

function parsed(document: YamlDocumentText): ParsedByThread {
  try {
    const { text, events } = atOnce(documentEvents(document, true));
    return { packed: packEvents(events), text: text === document.text ? undefined : text };
  } catch (error) {
    if (error instanceof DecodeError) return { refused: error.message };
    if (error instanceof RangeError) return { tooDeep: true };
    throw error;
  }
}

/** The thread of `yaml-thread.ts`: parses each text that it gets. */
parentPort?.on('message', (document: YamlDocumentText) => {
  const answer = parsed(document);
  parentPort?.postMessage(answer, 'packed' in answer ? [answer.packed.buffer] : []);
});
