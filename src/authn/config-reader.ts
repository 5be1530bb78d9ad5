import {
  duplicate,
  type FieldError,
  type FieldPath,
  invalid,
  isObject,
  type JsonObject,
  ownList,
  ownString,
} from '../meta/index.ts';

/** Reads a configuration and collects its errors. */
export class ConfigReader {
  readonly errors: FieldError[] = [];

  add(error: FieldError): void {
    this.errors.push(error);
  }

  text(object: JsonObject, key: string): string {
    return ownString(object, key) ?? '';
  }

  /** The objects of a list, each with its path. */
  objects(object: JsonObject, key: string, path: FieldPath): { value: JsonObject; path: FieldPath }[] {
    return (ownList(object, key) ?? []).map((value, index) => ({
      value: isObject(value) ? value : {},
      path: path.child(key).index(index),
    }));
  }

  /** Reports a duplicate value. */
  unique(seen: Set<string>, value: string, path: FieldPath): boolean {
    if (seen.has(value)) {
      this.add(duplicate(path, value));
      return false;
    }
    seen.add(value);
    return true;
  }

  /** Source: apiserver, apis/apiserver/validation, validateURL. */
  httpsUrl(text: string, path: FieldPath): void {
    if (!URL.canParse(text)) return this.add(invalid(path, text, 'it is no URL'));
    const url = new URL(text);
    if (url.protocol !== 'https:') this.add(invalid(path, text, 'URL scheme must be https'));
    if (url.username !== '' || url.password !== '')
      this.add(invalid(path, text, 'URL must not contain a username or password'));
    if (url.search !== '') this.add(invalid(path, text, 'URL must not contain a query'));
    if (url.hash !== '') this.add(invalid(path, text, 'URL must not contain a fragment'));
  }
}
