import { decodeYaml, DecodeError } from '../../codec/index.ts';
import { isObject, type JsonObject } from '../../meta/index.ts';
import { StageError, type StagePatch } from './stage.ts';

const now = /\{\{-?\s*Now(\s*\|\s*Quote)?\s*-?\}\}/g;
const anyTemplate = /\{\{[\s\S]*?(\}\}|$)/;

/** The merge patch of a stage at a time. @throws {StageError} */
export function patchAt({ root, template }: StagePatch, time: string): JsonObject {
  const text = template.replaceAll(now, JSON.stringify(time));
  const unknown = anyTemplate.exec(text);
  if (unknown !== null) {
    throw new StageError(`templates other than {{ Now }} are not supported: ${unknown[0]}`);
  }
  const patch = decoded(text);
  return root === '' ? patch : { [root]: patch };
}

/** @throws {StageError} for a template that gives no patch */
export function checkTemplate(patch: StagePatch): void {
  patchAt(patch, '2000-01-01T00:00:00Z');
}

function decoded(text: string): JsonObject {
  try {
    const { value } = decodeYaml(Buffer.from(text));
    if (isObject(value)) return value;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new StageError(`is not YAML: ${error.message}`);
  }
  throw new StageError('must give an object');
}
