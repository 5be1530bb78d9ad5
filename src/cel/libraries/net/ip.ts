import { scanCost, unitCost } from '../../cost/builders.ts';
import { actualSize } from '../../cost/actual-size.ts';
import { stringFactor } from '../../cost/constants.ts';
import type { CallCost } from '../../cost/function-costs.ts';
import { type FunctionDeclaration, globalOverload, memberOverload } from '../../functions/function.ts';
import { instance, string } from '../../functions/param.ts';
import { boolType, intType, opaqueType, stringType } from '../../types/type.ts';
import { CelError, isError } from '../../values/cel-error.ts';
import type { Result } from '../../values/value.ts';
import type { Library } from '../library.ts';
import { type Address, formatAddress, isMappedV4, parseAddress, samePrefix } from './address.ts';
import { CelIp } from './values.ts';

export const ipType = opaqueType('net.IP');
export const ip = instance(ipType, CelIp);

/** An address without a zone, and not an IPv4-mapped one. */
export function parseIp(text: string): CelIp | CelError {
  const percent = text.indexOf('%');
  const isZoned = percent > 0 && text.slice(0, percent).includes(':');
  const address = parseAddress(isZoned ? text.slice(0, percent) : text);
  const shown = JSON.stringify(text);
  if (isError(address))
    return new CelError(`IP Address ${shown} parse error during conversion from string: ${address.message}`);
  if (isZoned) return new CelError(`IP address ${shown} with zone value is not allowed`);
  if (isMappedV4(address)) return new CelError(`IPv4-mapped IPv6 address ${shown} is not allowed`);
  return new CelIp(address);
}

function known(text: string): Address {
  const address = parseAddress(text);
  if (isError(address)) throw new TypeError(address.message);
  return address;
}

/** Whether one of the networks contains an address. */
function within(...networks: readonly [string, number][]): (value: CelIp) => boolean {
  const parsed = networks.map(([text, length]) => ({ network: known(text), length }));
  return ({ address }) => parsed.some(({ network, length }) => samePrefix(network, address, length));
}

const isUnspecified = within(['0.0.0.0', 32], ['::', 128]);
const isLoopback = within(['127.0.0.0', 8], ['::1', 128]);
const isMulticast = within(['224.0.0.0', 4], ['ff00::', 8]);
const isLinkLocalMulticast = within(['224.0.0.0', 24], ['ff02::', 16]);
const isLinkLocalUnicast = within(['169.254.0.0', 16], ['fe80::', 10]);
const isBroadcast = within(['255.255.255.255', 32]);

/** As Go has it: private addresses count, broadcast does not. */
function isGlobalUnicast(value: CelIp): boolean {
  return ![isUnspecified, isLoopback, isMulticast, isLinkLocalUnicast, isBroadcast].some((test) =>
    test(value),
  );
}

function test(name: string, id: string, holds: (value: CelIp) => boolean): FunctionDeclaration {
  return { name, overloads: [memberOverload(id, [ip], boolType, holds)] };
}

function isCanonical(text: string): Result {
  const parsed = parseIp(text);
  return isError(parsed) ? parsed : formatAddress(parsed.address) === text;
}

const functions: readonly FunctionDeclaration[] = [
  { name: 'ip', overloads: [globalOverload('string_to_ip', [string], ipType, parseIp)] },
  {
    name: 'family',
    overloads: [memberOverload('ip_family', [ip], intType, ({ address }) => address.family)],
  },
  { name: 'ip.isCanonical', overloads: [globalOverload('ip_is_canonical', [string], boolType, isCanonical)] },
  test('isUnspecified', 'ip_is_unspecified', isUnspecified),
  test('isLoopback', 'ip_is_loopback', isLoopback),
  test('isLinkLocalMulticast', 'ip_is_link_local_multicast', isLinkLocalMulticast),
  test('isLinkLocalUnicast', 'ip_is_link_local_unicast', isLinkLocalUnicast),
  test('isGlobalUnicast', 'ip_is_global_unicast', isGlobalUnicast),
  {
    name: 'isIP',
    overloads: [globalOverload('is_ip', [string], boolType, (text) => !isError(parseIp(text)))],
  },
  {
    name: 'string',
    overloads: [globalOverload('ip_to_string', [ip], stringType, ({ address }) => formatAddress(address))],
  },
];

/** `ip(text)` parses the string; `cidr.ip()` only reads a field. */
const ipCost: CallCost = {
  estimate: (call) => (call.overloadId === 'cidr_ip' ? unitCost.estimate(call) : scanCost(1).estimate(call)),
  actual: ({ overloadId, args: [text = null] }) =>
    overloadId === 'cidr_ip' ? 1 : Math.ceil(actualSize(text) * stringFactor),
};

/** Kubernetes' IP addresses. */
export function ipLibrary(): Library {
  return {
    name: 'kubernetes.net.ip',
    functions,
    types: [ipType],
    costs: {
      functions: {
        ip: ipCost,
        isIP: scanCost(1),
        'ip.isCanonical': scanCost(2),
        family: unitCost,
        isUnspecified: unitCost,
        isLoopback: unitCost,
        isLinkLocalMulticast: unitCost,
        isLinkLocalUnicast: unitCost,
        isGlobalUnicast: unitCost,
      },
    },
  };
}
