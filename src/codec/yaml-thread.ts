import { Worker } from 'node:worker_threads';
import { atOnce, limits } from '../meta/index.ts';
import { DecodeError } from './decode-error.ts';
import { documentEvents } from './yaml/document-events.ts';
import type { ParsedText } from './yaml/flow-indentation.ts';
import { unpackEvents } from './yaml/packed-events.ts';
import type { YamlDocumentText } from './yaml/yaml-text.ts';
import type { ParsedByThread } from './yaml-thread-main.ts';

/** Two levels up, from the source and from the bundle. */
const entry = () => new URL('../../dist/codec/yaml-thread.js', import.meta.url);

/**
 * A worker thread that parses long YAML documents, so that none delays other requests: the parser cannot pause. The
 * first long document starts it, and it ends after an idle time.
 */
export class YamlThread {
  readonly #onTrouble: (error: unknown) => void;
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  /** The document in progress: the thread takes one at a time. */
  #last: Promise<unknown> = Promise.resolve();
  #closed = false;

  /** @param onTrouble called if a thread does not start, or fails */
  constructor(onTrouble: (error: unknown) => void) {
    this.#onTrouble = onTrouble;
  }

  /**
   * Parses one document, after those before it. If the thread fails, the caller's thread parses it.
   *
   * @throws {DecodeError} for text that is not YAML
   * @throws {RangeError} for text that is nested deeper than the stack is
   */
  parse(document: YamlDocumentText): Promise<ParsedText> {
    const parsing = this.#last.then(() => this.#parseNext(document));
    this.#last = parsing.catch(() => {});
    return parsing;
  }

  /** Ends the thread. A document in progress is parsed in the caller's. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#stop();
    clearTimeout(this.#idle);
  }

  async #parseNext(document: YamlDocumentText): Promise<ParsedText> {
    const answer = await this.#ask(document);
    if (answer === undefined) return atOnce(documentEvents(document, true));
    return parsedText(document, answer);
  }

  /** The answer of the thread; undefined if it failed. */
  async #ask(document: YamlDocumentText): Promise<ParsedByThread | undefined> {
    if (this.#closed) return undefined;
    clearTimeout(this.#idle);
    try {
      const worker = (this.#worker ??= this.#start());
      return await answerOf(worker, document);
    } catch (error) {
      if (!this.#closed) this.#onTrouble(error);
      return undefined;
    } finally {
      this.#idle = setTimeout(() => void this.#stop(), limits.yamlThreadIdleMs);
      this.#idle.unref();
    }
  }

  #start(): Worker {
    const worker = new Worker(entry(), {
      // Flags of the main script, such as --input-type, are refused for a file.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: limits.yamlThreadMemoryMiBMax },
    });
    // Without a listener, an error after the last answer would end the process.
    worker.on('error', () => {});
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    // An idle thread does not keep the process alive.
    worker.unref();
    return worker;
  }

  async #stop(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}

function parsedText({ text }: YamlDocumentText, answer: ParsedByThread): ParsedText {
  if ('refused' in answer) throw new DecodeError(answer.refused);
  if ('tooDeep' in answer) throw new RangeError('the document is nested too deeply');
  return { text: answer.text ?? text, events: unpackEvents(answer.packed) };
}

function answerOf(worker: Worker, document: YamlDocumentText): Promise<ParsedByThread> {
  return new Promise((resolve, reject) => {
    const end = () => {
      worker.unref();
      worker.off('message', onMessage);
      worker.off('error', onError);
      worker.off('exit', onExit);
    };
    const onMessage = (answer: ParsedByThread) => {
      end();
      resolve(answer);
    };
    const onError = (error: Error) => {
      end();
      reject(error);
    };
    const onExit = () => onError(new Error('the YAML thread has ended'));
    worker.on('message', onMessage);
    worker.on('error', onError);
    worker.on('exit', onExit);
    worker.ref();
    worker.postMessage(document);
  });
}
