import { homogeneousLiterals } from './checker/homogeneous-literals.ts';
import { literalValidators } from './checker/literal-validators.ts';
import type { Validator } from './checker/validator.ts';
import { Environment } from './environment.ts';
import type { RegexCache } from './functions/regex-cache.ts';
import { authorizationLibrary, authorizationSelectors } from './libraries/authorization.ts';
import { extendedLists } from './libraries/lists-extended.ts';
import { formatLibrary } from './libraries/format/index.ts';
import { jsonPatchLibrary } from './libraries/json-patch.ts';
import type { Library } from './libraries/library.ts';
import { listsLibrary } from './libraries/lists.ts';
import { cidrLibrary } from './libraries/net/cidr.ts';
import { ipLibrary } from './libraries/net/ip.ts';
import { opaqueEquality } from './libraries/opaque-equality.ts';
import { optionalLibrary } from './libraries/optional.ts';
import { quantityLibrary } from './libraries/quantity/index.ts';
import { regexLibrary } from './libraries/regex.ts';
import { semverLibrary } from './libraries/semver.ts';
import { setsLibrary } from './libraries/sets.ts';
import { formatLiterals } from './libraries/strings/format-validator.ts';
import { stringsLibrary } from './libraries/strings/index.ts';
import { twoVariableComprehensions } from './libraries/two-variable-comprehensions.ts';
import { urlLibrary } from './libraries/url/index.ts';

/** A version of Kubernetes: `{ major: 1, minor: 36 }`. */
export interface KubernetesVersion {
  readonly major: number;
  readonly minor: number;
}

/** A part of the language, and the Kubernetes 1.x versions that have it. */
interface VersionedPart {
  /** The first version. */
  readonly since: number;
  /** The first version without it. */
  readonly until?: number;
  readonly library?: (regexes: RegexCache) => Library;
  readonly validators?: readonly Validator[];
  /** Optional values and comparisons of numbers of different types. */
  readonly syntax?: true;
  /** Fields named like reserved words. */
  readonly keywordFields?: true;
}

/** All parts in upstream's order (pkg/cel/environment/base.go), which is also the order of overloads. */
const parts: readonly VersionedPart[] = [
  { since: 0, validators: [homogeneousLiterals] },
  { since: 0, library: urlLibrary },
  { since: 0, library: regexLibrary },
  { since: 0, library: opaqueEquality },
  { since: 0, until: 37, library: listsLibrary(0) },
  { since: 27, library: authorizationLibrary },
  { since: 28, library: optionalLibrary, syntax: true },
  { since: 28, library: quantityLibrary },
  { since: 29, validators: literalValidators },
  { since: 0, until: 29, library: stringsLibrary(0) },
  { since: 29, library: stringsLibrary(2), validators: [formatLiterals] },
  { since: 29, library: setsLibrary },
  { since: 30, library: ipLibrary },
  { since: 30, library: cidrLibrary },
  { since: 31, library: formatLibrary, keywordFields: true },
  { since: 31, library: authorizationSelectors },
  { since: 32, library: twoVariableComprehensions },
  { since: 33, library: semverLibrary },
  { since: 34, library: extendedLists },
  { since: 37, library: listsLibrary(1) },
];

function environmentOf(included: readonly VersionedPart[], more: readonly (() => Library)[]): Environment {
  return new Environment({
    libraries: [...included.flatMap(({ library }) => (library === undefined ? [] : [library])), ...more],
    validators: included.flatMap(({ validators = [] }) => validators),
    optionalSyntax: included.some(({ syntax }) => syntax === true),
    crossTypeComparisons: included.some(({ syntax }) => syntax === true),
    keywordFields: included.some(({ keywordFields }) => keywordFields === true),
  });
}

/**
 * The environment for new expressions: the features of the given version, normally one before the server's, so that the
 * server can be rolled back.
 */
export function newExpressions(
  { major, minor }: KubernetesVersion,
  options: { readonly jsonPatch?: boolean } = {},
): Environment {
  const version = major > 1 ? Number.POSITIVE_INFINITY : minor;
  const included = parts.filter(
    ({ since, until = Number.POSITIVE_INFINITY }) => since <= version && version < until,
  );
  return environmentOf(included, options.jsonPatch === true ? [jsonPatchLibrary] : []);
}

/** The environment for stored expressions: the features of all versions. */
export function storedExpressions(options: { readonly jsonPatch?: boolean } = {}): Environment {
  const included = parts.filter(({ until }) => until === undefined);
  return environmentOf(included, options.jsonPatch === true ? [jsonPatchLibrary] : []);
}
