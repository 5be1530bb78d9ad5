import {
  checkDnsSubdomain,
  type FieldError,
  type FieldPath,
  invalid,
  type JsonObject,
  ownObject,
  ownString,
  required,
} from '../../meta/index.ts';
import { GoUrlError, parseGoUrl } from '../go-url.ts';
import { textOf } from '../spec-view.ts';

const form = '; desired format: https://host[/path]';

/** The address of a webhook: either a URL or a service. */
export function webhookAddressErrors(config: JsonObject, path: FieldPath): FieldError[] {
  const url = ownString(config, 'url');
  const service = ownObject(config, 'service');
  if (url !== undefined && service === undefined) return urlErrors(path.child('url'), url);
  if (service !== undefined && url === undefined) return serviceErrors(service, path.child('service'));
  return [required(path, 'exactly one of url or service is required')];
}

function urlErrors(path: FieldPath, text: string): FieldError[] {
  try {
    const { scheme, host, user, fragment, query } = parseGoUrl(text);
    const errors: FieldError[] = [];
    if (scheme !== 'https') {
      errors.push(invalid(path, scheme, `'https' is the only allowed URL scheme${form}`));
    }
    if (host === '') errors.push(invalid(path, host, `host must be specified${form}`));
    if (user !== undefined) {
      errors.push(invalid(path, user, 'user information is not permitted in the URL'));
    }
    if (fragment !== '') errors.push(invalid(path, fragment, 'fragments are not permitted in the URL'));
    if (query !== '') errors.push(invalid(path, query, 'query parameters are not permitted in the URL'));
    return errors;
  } catch (error) {
    if (!(error instanceof GoUrlError)) throw error;
    return [required(path, `url must be a valid URL: ${error.message}${form}`)];
  }
}

function serviceErrors(service: JsonObject, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  // Upstream swaps name and namespace here, so clients see the wrong one in the path.
  if (textOf(service, 'namespace') === '') errors.push(required(path.child('name')));
  if (textOf(service, 'name') === '') errors.push(required(path.child('namespace')));
  const port = service['port'] ?? 443;
  if (typeof port !== 'number' || port < 1 || port > 65535) {
    const detail = 'port is not valid: must be between 1 and 65535, inclusive';
    errors.push(invalid(path.child('port'), port, detail));
  }
  return [...errors, ...servicePathErrors(path.child('path'), textOf(service, 'path'))];
}

function servicePathErrors(path: FieldPath, value: string): FieldError[] {
  if (value === '' || value === '/') return [];
  if (value === '//') return [invalid(path, value, 'segment[0] may not be empty')];
  const errors = value.startsWith('/') ? [] : [invalid(path, value, "must start with a '/'")];
  const segments = value.slice(1).replace(/\/$/, '').split('/');
  for (const [index, segment] of segments.entries()) {
    const wrong =
      segment === '' ? [' may not be empty'] : checkDnsSubdomain(segment).map((one) => `: ${one}`);
    errors.push(...wrong.map((one) => invalid(path, value, `segment[${index}]${one}`)));
  }
  return errors;
}
