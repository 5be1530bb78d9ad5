import { type FieldError, forbidden, notSupported } from '../refusal/field-error.ts';
import { type FieldSelector, parseFieldSelector } from '../selector/field-selector.ts';
import { type LabelSelector, parseLabelSelector } from '../selector/label-selector.ts';
import { kubernetesSelectors, type SelectorOptions } from '../selector/selector-options.ts';
import { SelectorError } from '../selector/selector-error.ts';
import { limits } from '../limits.ts';
import { badRequestError } from '../refusal/status.ts';
import { queryBoolean, queryInteger, queryString } from './query.ts';
import { refuseOptions } from './refusal.ts';

/** How the returned state relates to `resourceVersion`; empty leaves it to the verb. */
type ResourceVersionMatch = '' | 'Exact' | 'NotOlderThan';

/**
 * The options of list, watch and deletecollection, validated and with defaults.
 * Source: https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-versions
 */
export interface ListOptions {
  readonly labelSelector: LabelSelector;
  readonly fieldSelector: FieldSelector;
  /** A CEL expression over selectable fields, an extension of Ilk; empty selects everything. */
  readonly filter: string;
  readonly watch: boolean;
  readonly allowWatchBookmarks: boolean;
  /** As sent; `parseResourceVersion` parses it. */
  readonly resourceVersion: string;
  readonly resourceVersionMatch: ResourceVersionMatch;
  readonly timeoutSeconds: number | undefined;
  /** The page size; 0 means no limit. */
  readonly limit: number;
  readonly continue: string;
  readonly sendInitialEvents: boolean | undefined;
}

type Unchecked = Omit<ListOptions, 'resourceVersionMatch'> & { readonly resourceVersionMatch: string };

/**
 * Parses and validates ListOptions. A watch without resourceVersion, or from 0, first sends the current state.
 *
 * @throws {StatusError} 400 for an invalid parameter or selector, 422 for options that exclude each other.
 */
export function parseListOptions(
  query: URLSearchParams,
  selectors: SelectorOptions = kubernetesSelectors,
): ListOptions {
  const options = withInitialEvents(readListOptions(query, selectors));
  refuseOptions('ListOptions', options.watch ? watchErrors(options) : listErrors(options));
  return Object.freeze({ ...options, resourceVersionMatch: knownMatch(options.resourceVersionMatch) });
}

function readListOptions(query: URLSearchParams, selectors: SelectorOptions): Unchecked {
  // Numbers are parsed before selectors: this decides which of two errors is reported.
  const timeoutSeconds = queryInteger(query, 'timeoutSeconds');
  const limit = queryInteger(query, 'limit') ?? 0;
  const { setBasedFieldSelectors: setBased } = selectors;
  return {
    labelSelector: selector(query, 'labelSelector', parseLabelSelector),
    fieldSelector: selector(query, 'fieldSelector', (text) => parseFieldSelector(text, { setBased })),
    filter: filterOf(query, selectors),
    watch: queryBoolean(query, 'watch') ?? false,
    allowWatchBookmarks: queryBoolean(query, 'allowWatchBookmarks') ?? false,
    resourceVersion: queryString(query, 'resourceVersion'),
    resourceVersionMatch: queryString(query, 'resourceVersionMatch'),
    timeoutSeconds,
    limit,
    continue: queryString(query, 'continue'),
    sendInitialEvents: queryBoolean(query, 'sendInitialEvents'),
  };
}

/** Filters are refused where they are off: ignoring one would make deletecollection delete more than intended. */
function filterOf(query: URLSearchParams, { celFilters }: SelectorOptions): string {
  const filter = queryString(query, 'filter');
  if (filter !== '' && !celFilters) throw badRequestError('filter is not supported by this server');
  return filter;
}

/** Upstream limits conditions only by the length of the URL; tens of thousands would block the server for long. */
function selector<T extends { readonly requirements: readonly unknown[] }>(
  query: URLSearchParams,
  name: string,
  parse: (text: string) => T,
): T {
  const parsed = parsedSelector(() => parse(queryString(query, name)));
  const { length } = parsed.requirements;
  const max = limits.selectorConditionsMax;
  if (length > max) throw badRequestError(`${name} has ${length} conditions, at most ${max} are allowed`);
  return parsed;
}

function parsedSelector<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof SelectorError) throw badRequestError(error.message);
    throw error;
  }
}

/** Watches of clients without streaming lists (KEP-3157) are served as if they had requested one. */
function withInitialEvents(options: Unchecked): Unchecked {
  const asked = options.sendInitialEvents !== undefined || options.resourceVersionMatch !== '';
  const fromAnywhere = options.resourceVersion === '' || options.resourceVersion === '0';
  if (!options.watch || asked || !fromAnywhere) return options;
  return { ...options, sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' };
}

const matchField = 'resourceVersionMatch';

function listErrors(options: Unchecked): FieldError[] {
  const errors: FieldError[] = [];
  const match = options.resourceVersionMatch;
  if (match !== '') {
    if (options.resourceVersion === '') {
      errors.push(forbidden(matchField, `${matchField} is forbidden unless resourceVersion is provided`));
    }
    if (options.continue !== '') errors.push(matchWithContinue());
    if (knownMatch(match) === '') errors.push(notSupported(matchField, match, ['Exact', 'NotOlderThan', '']));
    if (match === 'Exact' && options.resourceVersion === '0') {
      errors.push(forbidden(matchField, `${matchField} "exact" is forbidden for resourceVersion "0"`));
    }
  }
  if (options.sendInitialEvents !== undefined) {
    errors.push(forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  }
  return errors;
}

function watchErrors(options: Unchecked): FieldError[] {
  const errors: FieldError[] = [];
  const match = options.resourceVersionMatch;
  if (options.sendInitialEvents !== undefined && match !== 'NotOlderThan') {
    errors.push(forbidden(matchField, `sendInitialEvents requires setting ${matchField} to NotOlderThan`));
  }
  if (match !== '') {
    if (options.sendInitialEvents === undefined) {
      const text = `${matchField} is forbidden for watch unless sendInitialEvents is provided`;
      errors.push(forbidden(matchField, text));
    }
    if (match !== 'NotOlderThan') errors.push(notSupported(matchField, match, ['NotOlderThan']));
    if (options.continue !== '') errors.push(matchWithContinue());
  }
  return errors;
}

function matchWithContinue(): FieldError {
  return forbidden(matchField, `${matchField} is forbidden when continue is provided`);
}

function knownMatch(text: string): ResourceVersionMatch {
  return text === 'Exact' || text === 'NotOlderThan' ? text : '';
}
