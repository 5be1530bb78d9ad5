import { WebhookError } from '../../webhook/index.ts';
import type { FaultKind } from '../fault-kind.ts';

/** A webhook call gets no answer, or an answer with a code and a text. */
export interface WebhookFault {
  readonly fault: 'webhook';
  /** 400 to 599; no answer if absent. */
  readonly code?: number;
  readonly message?: string;
}

export const webhookKind: FaultKind = {
  name: 'webhook',
  verbs: [],
  actsOnCalls: true,
  read(reader) {
    const code = reader.number('code', { min: 400, max: 599, integer: true }, undefined);
    const message = reader.text('message', 'injected fault');
    return {
      act: ({ next }) => next(),
      async actOnCall({ url }) {
        if (code === undefined) throw new WebhookError(`Post "${url}": ${message}`);
        return { code, contentType: 'text/plain', body: Buffer.from(message) };
      },
    };
  },
};
