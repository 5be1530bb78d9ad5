import {
  badRequestError,
  type FieldError,
  forbidden,
  invalid,
  invalidError,
  type KubeObject,
  metadataOf,
  nameOf,
  own,
  parseTime,
  queryInteger,
  stringMap,
} from '../../meta/index.ts';
import type { HttpResponse } from '../message.ts';
import { nodeNameOf, noKubeletError, type PodConnection, type PodConnectionKind } from './pod-connection.ts';

/** The text that a simulated pod gives as its log. */
const logAnnotation = 'simulate.ilk/log';

/** `pods/NAME/log`. Source: kubernetes, pkg/registry/core/pod/rest/log.go. */
export const podLog: PodConnectionKind = {
  verbs: ['get'],
  methods: ['GET'],
  async respond(request: PodConnection): Promise<HttpResponse> {
    const options = readOptions(request);
    const pod = await request.pod();
    const container = request.container(pod);
    const nodeName = nodeNameOf(pod);
    if (nodeName === '') return { status: 204, headers: {}, body: Buffer.alloc(0) };
    if (request.simulatesPods) return logText(shortened(simulatedLog(pod), options));
    const address = await request.kubeletAddress(nodeName);
    const place = `${request.path.namespace}/${nameOf(pod)}/${container}`;
    throw noKubeletError(`https://${address}/containerLogs/${place}`);
  },
};

function logText(text: string): HttpResponse {
  return { status: 200, headers: { 'content-type': 'text/plain' }, body: Buffer.from(text) };
}

interface LogOptions {
  readonly tailLines: number | undefined;
  readonly limitBytes: number | undefined;
}

/** @throws {StatusError} 400, 422 */
function readOptions({ http, path }: PodConnection): LogOptions {
  const { query } = http;
  const [since, tailLines, limitBytes] = ['sinceSeconds', 'tailLines', 'limitBytes'].map((name) =>
    queryInteger(query, name),
  );
  const sinceTime = query.get('sinceTime');
  if (sinceTime !== null && parseTime(sinceTime) === undefined) throw badTime(sinceTime);
  const errors: FieldError[] = [
    ...(query.has('stream') ? [forbidden('stream', 'may not be specified')] : []),
    ...(tailLines !== undefined && tailLines < 0
      ? [invalid('tailLines', tailLines, 'must be greater than or equal to 0')]
      : []),
    ...positive('limitBytes', limitBytes),
    ...sinceErrors(since, sinceTime),
  ];
  if (errors.length > 0) throw invalidError({ group: '', kind: 'PodLogOptions' }, path.name, errors);
  return { tailLines, limitBytes };
}

function sinceErrors(seconds: number | undefined, time: string | null): FieldError[] {
  const both = 'at most one of `sinceTime` or `sinceSeconds` may be specified';
  if (seconds !== undefined && time !== null) return [forbidden('[]', both)];
  return positive('sinceSeconds', seconds);
}

function positive(field: string, value: number | undefined): FieldError[] {
  return value !== undefined && value < 1 ? [invalid(field, value, 'must be greater than 0')] : [];
}

/** With the beginning of Go's text. */
function badTime(text: string) {
  const layout = '2006-01-02T15:04:05Z07:00';
  return badRequestError(
    `parsing time ${JSON.stringify(text)} as "${layout}": cannot parse ${JSON.stringify(text)} as "2006"`,
  );
}

function simulatedLog(pod: KubeObject): string {
  return stringMap(own(metadataOf(pod), 'annotations')).get(logAnnotation) ?? '';
}

/** The last lines of a text, then its first bytes. */
function shortened(text: string, { tailLines, limitBytes }: LogOptions): string {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const tail = tailLines === undefined ? text : tailLines === 0 ? '' : lines.slice(-tailLines).join('');
  if (limitBytes === undefined) return tail;
  return Buffer.from(tail).subarray(0, limitBytes).toString();
}
