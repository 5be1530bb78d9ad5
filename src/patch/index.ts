/** Client patches: JSON patch (RFC 6902), JSON merge patch (RFC 7386), strategic merge patch. */
export { applyJsonPatch, applyJsonPatchInSteps, parseJsonPatch } from './json-patch.ts';
export {
  isJsonPatchError,
  JsonPatchApplyError,
  JsonPatchFormatError,
  JsonPatchTestError,
  JsonPatchTooDeepError,
  JsonPatchTooLongError,
  JsonPatchTooMuchWorkError,
} from './json-patch-errors.ts';
export { applyMergePatch, applyMergePatchInSteps } from './merge-patch.ts';
export { applyStrategicMergePatchInSteps, StrategicPatchError } from './strategic-merge-patch.ts';
