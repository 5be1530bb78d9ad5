import { compareVersionPriority, formatGroupVersion, type JsonObject, ownString } from '../meta/index.ts';
import { namesOf, textOf, versionsOf } from './spec-view.ts';

/** Returns the warning for every request to a version; undefined if the version is not deprecated. */
export type DeprecationWarnings = (version: JsonObject) => string | undefined;

/**
 * The deprecation warnings of a CRD: its own text, or one that names the best replacement. A replacement is served,
 * not deprecated, and of higher priority: v1beta1 never replaces v1.
 */
export function deprecationWarnings(spec: JsonObject): DeprecationWarnings {
  const kind = textOf(namesOf(spec, 'names'), 'kind');
  const named = (version: string) => `${formatGroupVersion(textOf(spec, 'group'), version)} ${kind}`;
  const [best] = versionsOf(spec)
    .filter((version) => version['served'] === true && version['deprecated'] !== true)
    .map((version) => textOf(version, 'name'))
    .sort(compareVersionPriority);
  return (version) => {
    if (version['deprecated'] !== true) return undefined;
    const own = ownString(version, 'deprecationWarning');
    if (own !== undefined) return own;
    const name = textOf(version, 'name');
    const isBetter = best !== undefined && compareVersionPriority(best, name) < 0;
    return `${named(name)} is deprecated${isBetter ? `; use ${named(best)}` : ''}`;
  };
}
