import { actualSize } from '../../cost/actual-size.ts';
import { scanCost, unitCost } from '../../cost/builders.ts';
import { stringFactor } from '../../cost/constants.ts';
import type { CallCost } from '../../cost/function-costs.ts';
import { add, one, type Range, scale } from '../../cost/size.ts';
import { type FunctionDeclaration, globalOverload, memberOverload } from '../../functions/function.ts';
import { instance, string } from '../../functions/param.ts';
import { boolType, intType, opaqueType, stringType } from '../../types/type.ts';
import { CelError, isError, noSuchOverload } from '../../values/cel-error.ts';
import type { Result } from '../../values/value.ts';
import type { Library } from '../library.ts';
import { bitLength, formatAddress, isMappedV4, parseAddress, samePrefix } from './address.ts';
import { ip, ipType, parseIp } from './ip.ts';
import { CelCidr, CelIp } from './values.ts';

const cidrType = opaqueType('net.CIDR');
const cidr = instance(cidrType, CelCidr);

const context = 'network address parse error during conversion from string';

/** Go's netip.ParsePrefix, without IPv4-mapped IPv6 addresses. */
function parseCidr(text: string): CelCidr | CelError {
  const failed = (reason: string): CelError =>
    new CelError(`${context}: ${context}: netip.ParsePrefix(${JSON.stringify(text)}): ${reason}`);
  const slash = text.lastIndexOf('/');
  if (slash < 0) return failed("no '/'");
  const isZoned = text.slice(0, slash).includes('%');
  const address = parseAddress(text.slice(0, slash).replace(/%.*$/, ''));
  if (isError(address)) return failed(address.message);
  if (isZoned) return failed('IPv6 zones cannot be present in a prefix');
  const digits = text.slice(slash + 1);
  if (!/^(0|[1-9]\d{0,2})$/.test(digits)) return failed(`bad bits after slash: ${JSON.stringify(digits)}`);
  if (Number(digits) > bitLength(address.family)) return failed('prefix length out of range');
  if (isMappedV4(address)) {
    return new CelError(`${context}: IPv4-mapped IPv6 address ${JSON.stringify(text)} is not allowed`);
  }
  return new CelCidr(address, Number(digits));
}

function masked({ address, prefixLength }: CelCidr): CelCidr {
  const shift = BigInt(bitLength(address.family) - prefixLength);
  return new CelCidr({ family: address.family, bits: (address.bits >> shift) << shift }, prefixLength);
}

function containsIp(network: CelCidr, { address }: CelIp): boolean {
  return samePrefix(network.address, address, network.prefixLength);
}

function containsCidr(network: CelCidr, other: CelCidr): boolean {
  return (
    network.prefixLength <= other.prefixLength &&
    samePrefix(network.address, other.address, network.prefixLength)
  );
}

/** A string that is not an address does not match the overload. */
function containsText<V>(
  parse: (text: string) => V | CelError,
  contains: (network: CelCidr, value: V) => Result,
) {
  return (network: CelCidr, text: string): Result => {
    const parsed = parse(text);
    return parsed instanceof CelError ? noSuchOverload : contains(network, parsed);
  };
}

const functions: readonly FunctionDeclaration[] = [
  { name: 'cidr', overloads: [globalOverload('string_to_cidr', [string], cidrType, parseCidr)] },
  {
    name: 'containsIP',
    overloads: [
      memberOverload('cidr_contains_ip_string', [cidr, string], boolType, containsText(parseIp, containsIp)),
      memberOverload('cidr_contains_ip_ip', [cidr, ip], boolType, containsIp),
    ],
  },
  {
    name: 'containsCIDR',
    overloads: [
      memberOverload('cidr_contains_cidr_string', [cidr, string], boolType, (network, text) => {
        const parsed = parseCidr(text);
        return isError(parsed) ? parsed : containsCidr(network, parsed);
      }),
      memberOverload('cidr_contains_cidr', [cidr, cidr], boolType, containsCidr),
    ],
  },
  { name: 'ip', overloads: [memberOverload('cidr_ip', [cidr], ipType, ({ address }) => new CelIp(address))] },
  {
    name: 'prefixLength',
    overloads: [memberOverload('cidr_prefix_length', [cidr], intType, ({ prefixLength }) => prefixLength)],
  },
  { name: 'masked', overloads: [memberOverload('cidr_masked', [cidr], cidrType, masked)] },
  {
    name: 'isCIDR',
    overloads: [globalOverload('is_cidr', [string], boolType, (text) => !isError(parseCidr(text)))],
  },
  {
    name: 'string',
    overloads: [
      globalOverload(
        'cidr_to_string',
        [cidr],
        stringType,
        ({ address, prefixLength }) => `${formatAddress(address)}/${prefixLength}`,
      ),
    ],
  },
];

/** The bytes of an address, of either family. */
const addressSize: Range = { min: 4n, max: 16n };

/** Compares two addresses, for networks also the prefix; strings are parsed first. */
function containsCost(stringId: string, isNetwork: boolean): CallCost {
  return {
    estimate({ overloadId, args: [other], sizeOf }) {
      if (other === undefined) return undefined;
      const parts = [scale(add(addressSize, addressSize), stringFactor)];
      if (isNetwork) parts.push(scale(addressSize, stringFactor), one);
      if (overloadId === stringId) parts.push(scale(sizeOf(other), stringFactor));
      return { cost: add(...parts) };
    },
    actual({ overloadId, args: [network = null, other = null] }) {
      const size = actualSize(network);
      let cost = Math.ceil((size + size) * stringFactor);
      if (isNetwork) cost += Math.ceil(size * stringFactor) + 1;
      return overloadId === stringId ? cost + Math.ceil(actualSize(other) * stringFactor) : cost;
    },
  };
}

/** Kubernetes' network addresses. */
export function cidrLibrary(): Library {
  return {
    name: 'kubernetes.net.cidr',
    functions,
    types: [cidrType],
    costs: {
      functions: {
        cidr: scanCost(1),
        isCIDR: scanCost(1),
        containsIP: containsCost('cidr_contains_ip_string', false),
        containsCIDR: containsCost('cidr_contains_cidr_string', true),
        prefixLength: unitCost,
        masked: unitCost,
      },
    },
  };
}
