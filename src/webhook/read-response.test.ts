import { describe, expect, test } from 'vitest';
import { readResponse } from './read-response.ts';

const response = (code: number, body: string, contentType = 'application/json') => ({
  code,
  contentType,
  body: Buffer.from(body),
});

describe('a document', () => {
  test.each([
    ['{"a": 1}', { a: 1 }],
    [' \n\t{"a": 1}', { a: 1 }],
    ['a: 1', { a: 1 }],
    ['null', {}],
  ])('%j', (body, expected) => expect(readResponse(response(200, body))).toEqual(expected));

  test('accepts status codes up to 206', () => {
    expect(readResponse(response(206, '{}'))).toEqual({});
    expect(() => readResponse(response(207, '{}'))).toThrow(
      'the server responded with the status code 207 but did not return more information',
    );
  });
});

const json = "couldn't get version/kind; json parse error: ";
const status = (fields: object) => JSON.stringify({ kind: 'Status', ...fields });

describe('refuses', () => {
  test.each<[code: number, body: string, contentType: string, text: string]>([
    [200, '', '', '0-length response with status code: 200 and content type: application/json'],
    [200, '', 'text/html', '0-length response with status code: 200 and content type: text/html'],
    [200, '{"a": ', 'application/json', `${json}unexpected end of JSON input`],
    [
      200,
      '[]',
      'application/json',
      `${json}json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    ],
    // The message of a Status is used.
    [400, status({ status: 'Failure', message: 'why' }), '', 'why'],
    [400, status({ status: 'Failure' }), '', ''],
    [
      400,
      status({ status: 'Success', message: 'x' }),
      '',
      'the server rejected our request for an unknown reason',
    ],
    [400, '{', '', 'the server rejected our request for an unknown reason'],
    [404, '', '', 'the server could not find the requested resource'],
    [403, ' no ', 'text/plain', 'no'],
    [403, '<x>', 'application/xml', 'unknown'],
    [406, '', '', 'the server was unable to respond with a content type that the client supports'],
    [
      406,
      'x',
      'application/xml',
      'the server was unable to respond with a content type that the client supports',
    ],
    [406, 'only XML', 'text/plain', 'only XML'],
    [415, 'only XML', '', 'only XML'],
    [
      500,
      'a "quote"',
      'TEXT/plain',
      'an error on the server ("a \\"quote\\"") has prevented the request from succeeding',
    ],
    [503, 'x', '', 'the server is currently unable to handle the request'],
    [301, '', '', 'the server responded with the status code 301 but did not return more information'],
  ])('%d %j %s', (code, body, contentType, message) => {
    const read = () => readResponse(response(code, body, contentType));
    expect(read).toThrow(expect.objectContaining({ name: 'WebhookError', message }));
  });

  test('shows at most 2048 bytes of a text', () => {
    expect(() => readResponse(response(403, 'x'.repeat(3_000), ''))).toThrow(
      expect.objectContaining({ message: 'x'.repeat(2_048) }),
    );
  });
});
