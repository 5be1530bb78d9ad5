import { scanCost, unitCost } from '../cost/builders.ts';
import { type FunctionDeclaration, globalOverload, memberOverload } from '../functions/function.ts';
import { bool, instance, string } from '../functions/param.ts';
import { boolType, intType, structType } from '../types/type.ts';
import { CelError, isError, noSuchOverload } from '../values/cel-error.ts';
import { checkedInt } from '../values/int.ts';
import { CelOpaque } from '../values/opaque.ts';
import { maxUint } from '../values/uint.ts';
import type { Value } from '../values/value.ts';
import type { Library } from './library.ts';

/** A version as https://semver.org/spec/v2.0.0.html defines it. */
class CelSemver extends CelOpaque {
  readonly typeName = 'kubernetes.Semver';
  readonly numbers: readonly [bigint, bigint, bigint];
  readonly preRelease: readonly string[];

  constructor(numbers: readonly [bigint, bigint, bigint], preRelease: readonly string[]) {
    super();
    this.numbers = numbers;
    this.preRelease = preRelease;
  }

  equals(other: Value): boolean | CelError {
    return other instanceof CelSemver ? this.compare(other) === 0 : noSuchOverload;
  }

  /** Build metadata is ignored. */
  compare(other: CelSemver): -1 | 0 | 1 {
    for (const place of [0, 1, 2] as const) {
      if (this.numbers[place] !== other.numbers[place])
        return this.numbers[place] < other.numbers[place] ? -1 : 1;
    }
    return comparePreReleases(this.preRelease, other.preRelease);
  }
}

function comparePreReleases(left: readonly string[], right: readonly string[]): -1 | 0 | 1 {
  if (left.length === 0 || right.length === 0) {
    return left.length === right.length ? 0 : left.length === 0 ? 1 : -1;
  }
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const order = compareIdentifiers(left[index] ?? '', right[index] ?? '');
    if (order !== 0) return order;
  }
  return left.length === right.length ? 0 : left.length < right.length ? -1 : 1;
}

/** Numbers compare by value and precede words. */
function compareIdentifiers(left: string, right: string): -1 | 0 | 1 {
  const [isLeftNumber, isRightNumber] = [/^\d+$/.test(left), /^\d+$/.test(right)];
  if (isLeftNumber !== isRightNumber) return isLeftNumber ? -1 : 1;
  if (left === right) return 0;
  const isLess = isLeftNumber ? BigInt(left) < BigInt(right) : left < right;
  return isLess ? -1 : 1;
}

const places = ['Major', 'Minor', 'Patch'] as const;

/** Parses a version; the messages are those of upstream's library. */
function parse(text: string): CelSemver | CelError {
  if (text === '') return new CelError('Version string empty');
  const parts = text.split('.');
  if (parts.length < 3) return new CelError('No Major.Minor.Patch elements found');
  const [major = '', minor = '', ...rest] = parts;
  const [withoutBuild = '', ...builds] = rest.join('.').split('+');
  const dash = withoutBuild.indexOf('-');
  const patch = dash < 0 ? withoutBuild : withoutBuild.slice(0, dash);
  const numbers: bigint[] = [];
  for (const [place, digits] of [major, minor, patch].entries()) {
    const number = parseNumber(places[place] ?? '', digits);
    if (isError(number)) return number;
    numbers.push(number);
  }
  const preRelease = dash < 0 ? [] : withoutBuild.slice(dash + 1).split('.');
  const failure = preReleaseError(preRelease) ?? buildError(builds);
  if (failure !== undefined) return failure;
  const [first = 0n, second = 0n, third = 0n] = numbers;
  return new CelSemver([first, second, third], preRelease);
}

function parseNumber(place: string, digits: string): bigint | CelError {
  if (digits === '') return new CelError('strconv.ParseUint: parsing "": invalid syntax');
  if (!/^\d+$/.test(digits))
    return new CelError(
      `Invalid character(s) found in ${place.toLowerCase()} number ${JSON.stringify(digits)}`,
    );
  if (digits.length > 1 && digits.startsWith('0')) {
    return new CelError(`${place} number must not contain leading zeroes ${JSON.stringify(digits)}`);
  }
  const number = BigInt(digits);
  return number > maxUint
    ? new CelError(`strconv.ParseUint: parsing ${JSON.stringify(digits)}: value out of range`)
    : number;
}

function preReleaseError(identifiers: readonly string[]): CelError | undefined {
  for (const identifier of identifiers) {
    if (identifier === '') return new CelError('Prerelease is empty');
    if (!/^[0-9A-Za-z-]+$/.test(identifier))
      return new CelError(`Invalid character(s) found in prerelease ${JSON.stringify(identifier)}`);
    if (/^0\d+$/.test(identifier))
      return new CelError(
        `Numeric PreRelease version must not contain leading zeroes ${JSON.stringify(identifier)}`,
      );
  }
  return undefined;
}

function buildError(builds: readonly string[]): CelError | undefined {
  if (builds.length === 0) return undefined;
  for (const part of builds.join('+').split('.')) {
    if (part === '') return new CelError('Build meta data is empty');
    if (!/^[0-9A-Za-z-]+$/.test(part))
      return new CelError(`Invalid character(s) found in build meta data ${JSON.stringify(part)}`);
  }
  return undefined;
}

/** Normalizes `v1.02` to `1.2.0`. */
function normalize(text: string): string | CelError {
  const parts = splitThree(text.startsWith('v') ? text.slice(1) : text).map((part) => {
    if (part.length <= 1) return part;
    const stripped = part.replace(/^0+/, '');
    return /^\d/.test(stripped) ? stripped : `0${stripped}`;
  });
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) ?? '')) {
    return new CelError('short version cannot contain PreRelease/Build meta data');
  }
  while (parts.length < 3) parts.push('0');
  return parts.join('.');
}

function splitThree(text: string): string[] {
  const [first = '', second, ...rest] = text.split('.');
  return second === undefined
    ? [first]
    : rest.length === 0
      ? [first, second]
      : [first, second, rest.join('.')];
}

function parseAs(text: string, normalized: boolean): CelSemver | CelError {
  const version = normalized ? normalize(text) : text;
  return isError(version) ? version : parse(version);
}

const semverType = structType('kubernetes.Semver');
const semver = instance(semverType, CelSemver);

const functions: readonly FunctionDeclaration[] = [
  {
    name: 'semver',
    overloads: [
      globalOverload('string_to_semver', [string], semverType, parse),
      globalOverload('string_bool_to_semver', [string, bool], semverType, parseAs),
    ],
  },
  {
    name: 'isSemver',
    overloads: [
      globalOverload('is_semver_string', [string], boolType, (text) => !isError(parse(text))),
      globalOverload(
        'is_semver_string_bool',
        [string, bool],
        boolType,
        (text, normalized) => !isError(parseAs(text, normalized)),
      ),
    ],
  },
  {
    name: 'isGreaterThan',
    overloads: [
      memberOverload('semver_is_greater_than', [semver, semver], boolType, (x, y) => x.compare(y) === 1),
    ],
  },
  {
    name: 'isLessThan',
    overloads: [
      memberOverload('semver_is_less_than', [semver, semver], boolType, (x, y) => x.compare(y) === -1),
    ],
  },
  {
    name: 'compareTo',
    overloads: [memberOverload('semver_compare_to', [semver, semver], intType, (x, y) => x.compare(y))],
  },
  {
    name: 'major',
    overloads: [
      memberOverload('semver_major', [semver], intType, ({ numbers }) =>
        checkedInt(BigInt.asIntN(64, numbers[0])),
      ),
    ],
  },
  {
    name: 'minor',
    overloads: [
      memberOverload('semver_minor', [semver], intType, ({ numbers }) =>
        checkedInt(BigInt.asIntN(64, numbers[1])),
      ),
    ],
  },
  {
    name: 'patch',
    overloads: [
      memberOverload('semver_patch', [semver], intType, ({ numbers }) =>
        checkedInt(BigInt.asIntN(64, numbers[2])),
      ),
    ],
  },
];

/** Kubernetes' semantic versions. */
export function semverLibrary(): Library {
  return {
    name: 'kubernetes.Semver',
    functions,
    types: [semverType],
    costs: {
      functions: {
        semver: scanCost(1),
        isSemver: scanCost(1),
        isGreaterThan: unitCost,
        isLessThan: unitCost,
        compareTo: unitCost,
        major: unitCost,
        minor: unitCost,
        patch: unitCost,
      },
    },
  };
}
