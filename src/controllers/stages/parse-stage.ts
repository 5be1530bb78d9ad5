import {
  isObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  nameOf,
  own,
  parseGroupVersion,
} from '../../meta/index.ts';
import { type Stage, StageError, type StageExpression, type StagePatch, type StageStep } from './stage.ts';
import { checkTemplate } from './stage-template.ts';

const apiVersion = 'kwok.x-k8s.io/v1alpha1';
/** More stages would make each event expensive. */
const stagesMax = 1_000;
const delayMsMax = 2 ** 31 - 1;

/**
 * Reads Stages of kwok. Source: https://kwok.sigs.k8s.io/docs/user/stages-configuration/
 *
 * @throws {StageError} for one that is invalid, or that asks for what is not supported
 */
export function parseStages(loaded: readonly LoadedStage[]): readonly Stage[] {
  if (loaded.length > stagesMax) throw new StageError(`more than ${stagesMax} stages`);
  return loaded.map(({ file, object }) => {
    try {
      return parseStage(object);
    } catch (error) {
      if (!(error instanceof StageError) || file === '') throw error;
      throw new StageError(`${file}: ${error.message}`);
    }
  });
}

interface LoadedStage {
  /** For errors; empty for an object that no file contains. */
  readonly file: string;
  readonly object: KubeObject;
}

function parseStage(object: KubeObject): Stage {
  if (own(object, 'apiVersion') !== apiVersion || own(object, 'kind') !== 'Stage') {
    const given = `${String(own(object, 'apiVersion'))} ${String(own(object, 'kind'))}`;
    throw new StageError(`not a Stage of ${apiVersion}: ${given}`);
  }
  const at = `Stage ${nameOf(object)}`;
  const root = new Fields(object, at, ['apiVersion', 'kind', 'metadata', 'spec']);
  const spec = root.fields('spec', [
    'resourceRef',
    'selector',
    'weight',
    'delay',
    'next',
    'immediateNextStage',
  ]);
  const resource = spec.fields('resourceRef', ['apiGroup', 'kind']);
  const groupVersion = parseGroupVersion(resource.text('apiGroup', 'v1'));
  const kind = resource.text('kind');
  if (groupVersion === undefined || kind === '') {
    throw new StageError(
      `${at}: spec.resourceRef: apiGroup must be a version such as apps/v1, and kind is required`,
    );
  }
  const { group, version } = groupVersion;
  const delay = spec.fields('delay', ['durationMilliseconds', 'jitterDurationMilliseconds']);
  const delayMs = delay.count('durationMilliseconds', delayMsMax);
  const jitterMs = delay.count('jitterDurationMilliseconds', delayMsMax, delayMs);
  if (jitterMs !== delayMs) delay.refuse('jitterDurationMilliseconds', 'random delays are not supported');
  return {
    name: nameOf(object),
    group,
    version,
    kind,
    selector: selectorOf(spec),
    weight: spec.count('weight', Number.MAX_SAFE_INTEGER),
    delayMs,
    next: stepOf(spec),
  };
}

function selectorOf(spec: Fields): Stage['selector'] {
  const selector = spec.fields('selector', ['matchLabels', 'matchAnnotations', 'matchExpressions']);
  return {
    labels: selector.texts('matchLabels'),
    annotations: selector.texts('matchAnnotations'),
    expressions: selector.list('matchExpressions', ['key', 'operator', 'values']).map(expressionOf),
  };
}

const operators = ['In', 'NotIn', 'Exists', 'DoesNotExist'] as const;

function expressionOf(expression: Fields): StageExpression {
  const operator = operators.find((one) => one === expression.text('operator'));
  if (operator === undefined) return expression.refuse('operator', `must be one of ${operators.join(', ')}`);
  const values = expression.strings('values');
  if ((operator === 'In' || operator === 'NotIn') && values.length === 0) {
    return expression.refuse('values', `is required for ${operator}`);
  }
  return { path: pathOf(expression), operator, values };
}

/** `.metadata.annotations["example.com/a"]` */
const pathPattern = /^(\.[A-Za-z_][\w-]*|\[?"[^"\\]*"\]|\.\["[^"\\]*"\]|\."[^"\\]*")+$/;
const stepPattern = /"([^"\\]*)"|\.([A-Za-z_][\w-]*)/g;

function pathOf(expression: Fields): string[] {
  const key = expression.text('key');
  if (!pathPattern.test(key)) {
    return expression.refuse(
      'key',
      `${JSON.stringify(key)} is no path such as .status.phase; jq expressions are not supported`,
    );
  }
  return [...key.matchAll(stepPattern)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

const nextFields = ['event', 'finalizers', 'delete', 'statusTemplate', 'statusSubresource', 'patches'];

function stepOf(spec: Fields): StageStep {
  const next = spec.fields('next', nextFields);
  const finalizers = next.fields('finalizers', ['add', 'remove', 'empty']);
  const event = next.fields('event', ['type', 'reason', 'message']);
  const statusTemplate = next.text('statusTemplate');
  const patches = next.list('patches', ['subresource', 'root', 'type', 'template']).map(patchOf);
  const status: StagePatch = { subresource: 'status', root: 'status', template: statusTemplate };
  if (statusTemplate !== '') next.check('statusTemplate', () => checkTemplate(status));
  return {
    event: event.isEmpty
      ? undefined
      : { type: event.text('type', 'Normal'), reason: event.text('reason'), message: event.text('message') },
    finalizers: {
      add: finalizers.list('add', ['value']).map((one) => one.text('value')),
      remove: finalizers.list('remove', ['value']).map((one) => one.text('value')),
      empty: finalizers.flag('empty'),
    },
    delete: next.flag('delete'),
    patches: [...(statusTemplate === '' ? [] : [status]), ...patches],
  };
}

function patchOf(patch: Fields): StagePatch {
  const [type, subresource] = [patch.text('type', 'merge'), patch.text('subresource')];
  if (type !== 'merge') return patch.refuse('type', `${type} is not supported: only merge is`);
  if (subresource !== '' && subresource !== 'status')
    return patch.refuse('subresource', 'must be status, or left out');
  const parsed: StagePatch = { subresource, root: patch.text('root'), template: patch.text('template') };
  patch.check('template', () => checkTemplate(parsed));
  return parsed;
}

/** The fields of a part of a Stage. Unknown ones are refused: a Stage that is half understood would mislead. */
class Fields {
  readonly #object: JsonObject;
  readonly #at: string;

  constructor(object: JsonObject, at: string, known: readonly string[]) {
    this.#object = object;
    this.#at = at;
    for (const field of Object.keys(object))
      if (!known.includes(field)) this.refuse(field, 'is not supported');
  }

  get isEmpty(): boolean {
    return Object.keys(this.#object).length === 0;
  }

  fields(field: string, known: readonly string[]): Fields {
    const value = this.#value(field) ?? {};
    return isObject(value)
      ? new Fields(value, this.#within(field), known)
      : this.refuse(field, 'must be an object');
  }

  list(field: string, known: readonly string[]): Fields[] {
    return this.#items(field).map((item, index) => {
      const at = this.#within(`${field}[${index}]`);
      return isObject(item)
        ? new Fields(item, at, known)
        : this.refuse(`${field}[${index}]`, 'must be an object');
    });
  }

  strings(field: string): string[] {
    return this.#items(field).map((item, index) =>
      typeof item === 'string' ? item : this.refuse(`${field}[${index}]`, 'must be a string'),
    );
  }

  texts(field: string): ReadonlyMap<string, string> {
    const value = this.#value(field) ?? {};
    if (!isObject(value)) return this.refuse(field, 'must be an object');
    return new Map(
      Object.entries(value).map(([key, text]) => [
        key,
        typeof text === 'string' ? text : this.refuse(`${field}[${key}]`, 'must be a string'),
      ]),
    );
  }

  text(field: string, otherwise = ''): string {
    const value = this.#value(field) ?? otherwise;
    return typeof value === 'string' ? value : this.refuse(field, 'must be a string');
  }

  flag(field: string): boolean {
    const value = this.#value(field) ?? false;
    return typeof value === 'boolean' ? value : this.refuse(field, 'must be true or false');
  }

  count(field: string, max: number, otherwise = 0): number {
    const value = this.#value(field) ?? otherwise;
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max) return value;
    return this.refuse(field, `must be a whole number from 0 to ${max}`);
  }

  /** Adds the field to an error. */
  check(field: string, call: () => void): void {
    try {
      call();
    } catch (error) {
      if (error instanceof StageError) this.refuse(field, error.message);
      throw error;
    }
  }

  refuse(field: string, why: string): never {
    throw new StageError(`${this.#at}${this.#at.includes(':') ? '.' : ': '}${field}: ${why}`);
  }

  #within(field: string): string {
    return `${this.#at}${this.#at.includes(':') ? '.' : ': '}${field}`;
  }

  #value(field: string): JsonValue | undefined {
    return own(this.#object, field) ?? undefined;
  }

  #items(field: string): readonly JsonValue[] {
    const value = this.#value(field) ?? [];
    return Array.isArray(value) ? value : this.refuse(field, 'must be a list');
  }
}
