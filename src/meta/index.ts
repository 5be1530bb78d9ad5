// Values
export {
  clone,
  equal,
  isObject,
  type JsonObject,
  type JsonValue,
  own,
  ownList,
  ownObject,
  ownString,
  put,
} from './value.ts';
export { compareBytes, goFloat, goJson, goQuote, goValue } from './go-text.ts';

// Objects, groups, versions
export * from './group-version.ts';
export * from './object.ts';

// Refusals, field errors, bugs
export * from './field-error.ts';
export { FieldPath, pathText, rootPathText } from './field-path.ts';
export { InvariantError, invariant } from './invariant.ts';
export * from './status.ts';

// What is passed in
export { type Clock, formatTime, systemClock } from './clock.ts';
export * from './feature-gates.ts';
export { limits } from './limits.ts';
