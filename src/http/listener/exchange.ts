import { ConnectionDropped } from '../filter.ts';
import type { HttpRequest, RequestHandler } from '../message.ts';
import type { Slices } from '../../meta/index.ts';
import type { AnswerBuffers, AnswerHold } from '../overload/index.ts';
import type { AnswerWriter } from './answer-writer.ts';
import type { Connection } from './connection.ts';
import type { ConnectionGuard } from './connection-guard.ts';
import type { Intake } from './intake.ts';
import { sendAnswer } from './send-answer.ts';

/** What serves the requests of all connections of a port. */
export interface ExchangeParts {
  readonly handler: RequestHandler;
  readonly guard: ConnectionGuard;
  /** Before it is asked who a request is from, and whether there is room for it. */
  readonly arrivals: Intake;
  /** Before the work on a request begins. */
  readonly intake: Intake;
  readonly buffers: AnswerBuffers;
  /** How long answers are made before others have their turn. */
  readonly slices: Slices;
  /** Called for errors that cannot be reported in a response. */
  readonly onError: (error: unknown) => void;
}

/** A request, and the way back for its answer. */
export interface Exchange {
  readonly connection: Connection;
  readonly request: HttpRequest & { readonly hold: AnswerHold };
  readonly writer: AnswerWriter;
  /** Called before an answer is broken off that the client does not read. */
  readonly onStall: () => void;
  /** Called when the answer was sent or given up. */
  readonly onEnd?: () => void;
}

/** Has a request answered. Never throws. */
export async function serveExchange(parts: ExchangeParts, exchange: Exchange): Promise<void> {
  const { handler, guard, arrivals, intake, slices, onError } = parts;
  const { connection, request, writer, onStall } = exchange;
  guard.began(connection);
  try {
    const isThere = () => !writer.gone;
    // What the client resets at once is not looked at.
    if (!(await arrivals.turn(connection.flow, isThere))) return;
    const begin = (user: string) => intake.turn(user, isThere);
    const answer = await handler.handle(request, begin);
    const waitFor = (durationMs: number, onLate: () => void) => guard.waitFor(durationMs, onLate);
    const sending = sendAnswer(answer, { request, writer, waitFor, onStall, slices });
    if (sending !== undefined) await sending;
  } catch (error) {
    if (!(error instanceof ConnectionDropped) && !writer.gone) onError(error);
    writer.abort();
  } finally {
    request.hold.end();
    guard.ended(connection);
    exchange.onEnd?.();
  }
}
