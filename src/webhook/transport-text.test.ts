import { describe, expect, test } from 'vitest';
import {
  bodyText,
  CertificateNameError,
  TimeIsUpError,
  TooLargeError,
  transportText,
} from './transport-text.ts';

/** An error like Node's. */
const nodeError = (fields: object, message = 'said by Node') => Object.assign(new Error(message), fields);
const unverified = 'tls: failed to verify certificate: x509: ';
const ssl = (reason: string) =>
  nodeError({ code: 'EPROTO' }, `write EPROTO 40:error:0A:SSL routines:f:${reason}:x.c:1`);

describe('a call that failed', () => {
  test.each<[string, Error, string]>([
    [
      'in time',
      new TimeIsUpError(''),
      'net/http: request canceled (Client.Timeout exceeded while awaiting headers)',
    ],
    [
      'in time, with words of its own',
      new TimeIsUpError('context deadline exceeded'),
      'context deadline exceeded',
    ],
    ['by the name', new CertificateNameError('not for you'), `${unverified}not for you`],
    [
      'by the authority',
      nodeError({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
      `${unverified}certificate signed by unknown authority`,
    ],
    [
      'by an age that is not told',
      nodeError({ code: 'CERT_HAS_EXPIRED' }),
      `${unverified}certificate has expired or is not yet valid`,
    ],
    ['by plain HTTP', ssl('wrong version number'), 'http: server gave HTTP response to HTTPS client'],
    ['by an alert', ssl('tlsv1 alert access denied'), 'remote error: tls: tlsv1 alert access denied'],
    [
      'by DNS',
      nodeError({ syscall: 'getaddrinfo', code: 'ENOTFOUND', hostname: 'a' }),
      'dial tcp: lookup a: no such host',
    ],
    [
      'by DNS that does not work',
      nodeError({ syscall: 'getaddrinfo', code: 'EAI_AGAIN', hostname: 'a' }),
      'dial tcp: lookup a: server misbehaving',
    ],
    [
      'by a port without a listener',
      nodeError({ syscall: 'connect', code: 'ECONNREFUSED', address: '127.0.0.1', port: 9 }),
      'dial tcp 127.0.0.1:9: connect: connection refused',
    ],
    [
      'at an address of IPv6, the first of several',
      nodeError({
        errors: [nodeError({ syscall: 'connect', code: 'EOTHER', address: '::1', port: 9 }), new Error('x')],
      }),
      'dial tcp [::1]:9: connect: EOTHER',
    ],
    ['by its end', nodeError({ code: 'ECONNRESET' }), 'EOF'],
    [
      'by a reset',
      nodeError({ code: 'ECONNRESET', syscall: 'read' }),
      'read tcp: read: connection reset by peer',
    ],
    [
      'by an answer that is none',
      nodeError({ code: 'HPE_INVALID_CONSTANT', rawPacket: Buffer.from('hello\r\nworld') }),
      'net/http: HTTP/1.x transport connection broken: malformed HTTP response "hello"',
    ],
    ['otherwise', nodeError({ code: 'EOTHER' }), 'said by Node'],
  ])('%s', (_, error, text) => expect(transportText(error)).toBe(text));

  test.each([
    ['CERT_HAS_EXPIRED', 'after'],
    ['CERT_NOT_YET_VALID', 'before'],
  ])('%s', (code, relation) => {
    const cert = { valid_from: 'Jan  1 00:00:00 2100 GMT', valid_to: 'Jan  1 00:00:00 2100 GMT' };
    const text = transportText(nodeError({ code, cert }));
    expect(text.replace(/time \S+Z is/, 'time NOW is')).toBe(
      `${unverified}certificate has expired or is not yet valid: current time NOW is ${relation} 2100-01-01T00:00:00Z`,
    );
  });
});

describe('a truncated response', () => {
  const retry = 'unexpected error when reading response body. Please retry. Original error: ';
  test.each<[Error, string]>([
    [new TooLargeError('too large'), 'too large'],
    [
      new TimeIsUpError(''),
      `${retry}net/http: request canceled (Client.Timeout or context cancellation while reading body)`,
    ],
    [new TimeIsUpError('context deadline exceeded'), `${retry}context deadline exceeded`],
    [new Error('aborted'), `${retry}unexpected EOF`],
  ])('%s', (error, text) => expect(bodyText(error)).toBe(text));
});
