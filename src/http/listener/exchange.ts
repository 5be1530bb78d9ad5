import { ConnectionDropped } from '../filter.ts';
import type { RequestHandler } from '../message.ts';
import type { Slices } from '../../meta/index.ts';
import type { AnswerBuffers } from '../overload/index.ts';
import type { AnswerWriter } from './answer-writer.ts';
import type { Connection } from './connection.ts';
import type { ConnectionGuard } from './connection-guard.ts';
import type { Intake } from './intake.ts';
import type { NodeRequest } from './node-request.ts';
import { sendAnswer } from './send-answer.ts';

/** The dependencies of serving requests on a port. */
export interface ExchangeParts {
  readonly handler: RequestHandler;
  readonly guard: ConnectionGuard;
  /** Waited for before authentication and flow control. */
  readonly arrivals: Intake;
  /** Waited for before the work on a request. */
  readonly intake: Intake;
  readonly buffers: AnswerBuffers;
  /** The time slice for sending responses. */
  readonly slices: Slices;
  /** Called for errors that cannot be reported in a response. */
  readonly onError: (error: unknown) => void;
}

/** A request and its response writer. */
export interface Exchange {
  readonly connection: Connection;
  readonly request: NodeRequest;
  readonly writer: AnswerWriter;
  /** True for a stream of HTTP/2, which the client can reset without closing the connection. */
  readonly isStream?: boolean;
  /** Called before a response is aborted because the client does not read it. */
  readonly onStall: () => void;
  /** Called when the response was sent or aborted. */
  readonly onEnd?: () => void;
}

/** Serves a request. Never throws. */
export async function serveExchange(parts: ExchangeParts, exchange: Exchange): Promise<void> {
  const { handler, guard, arrivals, intake, slices, onError } = parts;
  const { connection, request, writer, isStream = false, onStall } = exchange;
  guard.began(connection);
  slices.requestArrived();
  try {
    const isThere = () => !writer.gone;
    // Requests that the client resets immediately are not processed: a reset is read after the request.
    const { flow } = connection;
    if (!(await (isStream ? arrivals.nextTurn(flow, isThere) : arrivals.turn(flow, isThere)))) return;
    const begin = (user: string) => intake.turn(user, isThere);
    const answer = await handler.handle(request, begin);
    const waitFor = (durationMs: number, onLate: () => void) => guard.waitFor(durationMs, onLate);
    const sending = sendAnswer(answer, { request, writer, waitFor, onStall, slices });
    if (sending !== undefined) await sending;
  } catch (error) {
    if (!(error instanceof ConnectionDropped) && !writer.gone) onError(error);
    writer.abort();
  } finally {
    request.over();
    guard.ended(connection);
    exchange.onEnd?.();
  }
}
