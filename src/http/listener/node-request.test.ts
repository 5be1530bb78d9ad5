import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { systemTimers } from '../../meta/index.ts';
import { AnswerBuffers, type AnswerHold } from '../overload/index.ts';
import { NodeRequest } from './node-request.ts';

class RequestOn extends NodeRequest {
  readonly #stream: EventEmitter;

  constructor(stream: EventEmitter, hold: AnswerHold) {
    const parts = { method: 'GET', url: '/', remoteAddress: '', certificate: undefined, onUser: () => {} };
    super({ ...parts, hold });
    this.#stream = stream;
  }

  protected readonly isGone = false;
  header = () => undefined;
  headersFrom = () => [];
  protected read = async () => new Uint8Array();
  protected whenGone(call: () => void): void {
    this.#stream.once('close', call);
  }
}

const requestOn = (stream: EventEmitter) =>
  new RequestOn(stream, new AnswerBuffers({ bytesMax: 1, waitMsMax: 1, timers: systemTimers }).hold());

test('the signal of a request aborts when its stream closes before the response', () => {
  const stream = new EventEmitter();
  const { signal } = requestOn(stream);
  stream.emit('close');
  expect(signal.aborted).toBe(true);
});

test('a stream that closes after the response aborts nothing', () => {
  const stream = new EventEmitter();
  const request = requestOn(stream);
  const { signal } = request;
  request.over();
  stream.emit('close');
  expect(signal.aborted).toBe(false);
});
