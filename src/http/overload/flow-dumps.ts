import {
  dumpPriorityLevels,
  dumpQueues,
  dumpRequests,
  type FlowController,
} from '../../flowcontrol/index.ts';
import { type HttpRequest, type HttpResponse, plainText } from '../message.ts';

const prefix = '/debug/api_priority_and_fairness/';

/** Serves upstream's debugging endpoints for queues and requests; undefined for other paths. */
export function flowDump(controller: FlowController, http: HttpRequest): HttpResponse | undefined {
  if (!http.path.startsWith(prefix)) return undefined;
  switch (http.path.slice(prefix.length)) {
    case 'dump_priority_levels':
      return plainText(200, dumpPriorityLevels(controller));
    case 'dump_queues':
      return plainText(200, dumpQueues(controller));
    case 'dump_requests':
      return plainText(200, dumpRequests(controller, requestOptions(http)));
    default:
      return undefined;
  }
}

function requestOptions({ query }: HttpRequest) {
  // The controller's clock starts with the process.
  const timeOf = (ms: number) => new Date(performance.timeOrigin + ms).toISOString();
  return { details: (query.get('includeRequestDetails') ?? '') !== '', timeOf };
}
