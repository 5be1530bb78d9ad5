import { scanCost, unitCost } from '../../cost/builders.ts';
import { type FunctionDeclaration, globalOverload, memberOverload } from '../../functions/function.ts';
import { instance, string } from '../../functions/param.ts';
import { boolType, listType, mapType, stringType, structType } from '../../types/type.ts';
import { CelError, isError, noSuchOverload } from '../../values/cel-error.ts';
import { ArrayList } from '../../values/list.ts';
import { EntryMap } from '../../values/map.ts';
import { CelOpaque } from '../../values/opaque.ts';
import type { Value } from '../../values/value.ts';
import type { Library } from '../library.ts';
import {
  escapedPath,
  formatUrl,
  type GoUrl,
  hostname,
  parseRequestUri,
  parseUrl,
  port,
  queryValues,
} from './go-url.ts';

/** A URL as a value. */
class CelUrl extends CelOpaque {
  readonly typeName = 'kubernetes.URL';
  readonly url: GoUrl;

  constructor(url: GoUrl) {
    super();
    this.url = url;
  }

  equals(other: Value): boolean | CelError {
    return other instanceof CelUrl ? formatUrl(other.url) === formatUrl(this.url) : noSuchOverload;
  }
}

function toUrl(text: string): CelUrl | CelError {
  const request = parseRequestUri(text);
  const parsed = isError(request) ? request : parseUrl(text);
  if (isError(parsed))
    return new CelError(`URL parse error during conversion from string: ${parsed.message}`);
  return new CelUrl(parsed);
}

const urlType = structType('kubernetes.URL');
const url = instance(urlType, CelUrl);

function getter(name: string, id: string, get: (url: GoUrl) => string): FunctionDeclaration {
  return { name, overloads: [memberOverload(id, [url], stringType, (value) => get(value.url))] };
}

const functions: readonly FunctionDeclaration[] = [
  { name: 'url', overloads: [globalOverload('string_to_url', [string], urlType, toUrl)] },
  getter('getScheme', 'url_get_scheme', ({ scheme }) => scheme),
  getter('getHost', 'url_get_host', ({ host }) => host),
  getter('getHostname', 'url_get_hostname', hostname),
  getter('getPort', 'url_get_port', port),
  getter('getEscapedPath', 'url_get_escaped_path', escapedPath),
  {
    name: 'getQuery',
    overloads: [
      memberOverload('url_get_query', [url], mapType(stringType, listType(stringType)), (value) =>
        EntryMap.of(
          Array.from(queryValues(value.url), ([key, values]) => [key, new ArrayList(values)] as const),
        ),
      ),
    ],
  },
  {
    name: 'isURL',
    overloads: [
      globalOverload('is_url_string', [string], boolType, (text) => !isError(parseRequestUri(text))),
    ],
  },
];

/** Kubernetes' URLs. */
export function urlLibrary(): Library {
  return {
    name: 'kubernetes.urls',
    functions,
    types: [urlType],
    costs: {
      functions: {
        url: scanCost(1, { keepsSize: true }),
        getScheme: unitCost,
        getHost: unitCost,
        getHostname: unitCost,
        getPort: unitCost,
        getEscapedPath: unitCost,
        getQuery: unitCost,
      },
    },
  };
}
