import {
  declared,
  type FieldError,
  type JsonObject,
  ownList,
  ownObject,
  required,
  tooMany,
} from '../../meta/index.ts';
import { eachIn } from '../rules/field-checks.ts';

const selectorsMax = 32;

/** The `selectors` of a class or a request; expressions are not compiled. Source: kubernetes, pkg/apis/resource/validation. */
export function selectorsErrors(path: string, owner: JsonObject): FieldError[] {
  const count = ownList(owner, 'selectors')?.length ?? 0;
  if (count > selectorsMax) return [declared(tooMany(`${path}.selectors`, count, selectorsMax))];
  return eachIn(path, owner, 'selectors', (selector, at) =>
    ownObject(selector, 'cel') === undefined ? [required(`${at}.cel`)] : [],
  );
}
