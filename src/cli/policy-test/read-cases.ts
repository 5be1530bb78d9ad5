import { dirname, join } from 'node:path';
import {
  isObject,
  type JsonValue,
  type KubeObject,
  own,
  ownString,
  type UserInfo,
} from '../../meta/index.ts';
import { type LoadedObject, LoadError, loadFile } from '../../manifests/index.ts';
import { duplicateFindings } from '../../offline/index.ts';
import {
  type CaseOperation,
  type Expectation,
  operations,
  type PolicyCase,
  type PolicyVerdict,
  verdicts,
} from './policy-case.ts';

const caseKeys = [
  'name',
  'operation',
  'object',
  'oldObject',
  'user',
  'groups',
  'namespaceLabels',
  'expect',
] as const;

/** True for a document with cases. */
export function isCases({ object }: LoadedObject): boolean {
  return ownString(object, 'kind') === 'PolicyTest' && ownString(object, 'apiVersion') === 'ilk/v1';
}

/** Reports an error in a document, with its place. */
type Refuse = (why: string, ...path: readonly string[]) => LoadError;

/** Cases, and the files with their objects. */
interface ReadCases {
  readonly cases: readonly PolicyCase[];
  readonly files: readonly string[];
}

/**
 * Parses the cases of a document, including the objects that they name by file.
 *
 * @throws {LoadError} for an invalid document, and the system's error for an unreadable file
 */
export async function readCases(document: LoadedObject): Promise<ReadCases> {
  const { file, lineAt, object } = document;
  const refuse: Refuse = (why, ...path) => new LoadError(`${file}:${lineAt(path)}: ${why}`);
  const [twice] = duplicateFindings(document);
  if (twice !== undefined) throw new LoadError(`${file}:${twice.line}: ${twice.message}`);
  known(object, ['apiVersion', 'kind', 'cases'], { refuse, path: [] });
  const list = own(object, 'cases');
  if (!Array.isArray(list) || list.length === 0)
    throw refuse('cases: must be a list with cases in it', 'cases');
  const cases: PolicyCase[] = [];
  const files: string[] = [];
  for (const [index, item] of list.entries()) {
    const path = ['cases', String(index)];
    if (!isObject(item)) throw refuse('not an object', ...path);
    const read = await new CaseReader(document, item, { refuse, path }).read();
    cases.push(read.one);
    files.push(...read.files);
  }
  return { cases, files };
}

/** A place in a document. */
interface Place {
  readonly refuse: Refuse;
  readonly path: readonly string[];
}

class CaseReader {
  readonly #document: LoadedObject;
  readonly #item: KubeObject;
  readonly #place: Place;
  readonly #files: string[] = [];

  constructor(document: LoadedObject, item: KubeObject, place: Place) {
    this.#document = document;
    this.#item = item;
    this.#place = place;
  }

  async read(): Promise<{ one: PolicyCase; files: readonly string[] }> {
    known(this.#item, caseKeys, this.#place);
    const object = await this.#objectAt('object');
    const oldObject = await this.#objectAt('oldObject');
    const one: PolicyCase = {
      file: this.#document.file,
      line: this.#document.lineAt(this.#place.path),
      name: this.#text('name') ?? this.#refuse('name: must be set'),
      operation: this.#operation(object, oldObject),
      object,
      oldObject,
      user: this.#user(),
      namespaceLabels: this.#labels(),
      expected: this.#expected(object),
    };
    return { one, files: this.#files };
  }

  #refuse(why: string, ...steps: readonly string[]): never {
    throw this.#place.refuse(why, ...this.#place.path, ...steps);
  }

  #text(key: string): string | undefined {
    const value = own(this.#item, key);
    if (value === undefined || (typeof value === 'string' && value !== '')) return value;
    return this.#refuse(`${key}: must be a text`, key);
  }

  /** An inline object, or the only object of a file beside the document. */
  async #objectAt(key: string): Promise<KubeObject | undefined> {
    const value = own(this.#item, key);
    if (value === undefined || isObject(value)) return value;
    if (typeof value !== 'string') this.#refuse(`${key}: must be an object or the name of a file`, key);
    const file = join(dirname(this.#document.file), value);
    const objects = await loadFile(file).catch((error: unknown) => {
      if (error instanceof LoadError) throw error;
      return this.#refuse(`${key}: ${value} cannot be read`, key);
    });
    const [only] = objects;
    if (only === undefined || objects.length > 1) {
      this.#refuse(`${key}: ${value} holds ${objects.length} objects, must be one`, key);
    }
    this.#files.push(file);
    return only.object;
  }

  #operation(object: KubeObject | undefined, oldObject: KubeObject | undefined): CaseOperation {
    const usual = object === undefined ? 'DELETE' : oldObject === undefined ? 'CREATE' : 'UPDATE';
    const operation = oneOf(operations, own(this.#item, 'operation') ?? usual);
    if (operation === undefined)
      this.#refuse(`operation: must be one of ${operations.join(', ')}`, 'operation');
    if ((operation === 'DELETE') !== (object === undefined)) {
      this.#refuse(`object: ${operation === 'DELETE' ? 'must not be set for DELETE' : 'must be set'}`);
    }
    if ((operation === 'CREATE') !== (oldObject === undefined)) {
      this.#refuse(`oldObject: must ${operation === 'CREATE' ? 'not be set for CREATE' : 'be set'}`);
    }
    return operation;
  }

  #user(): UserInfo | undefined {
    const name = this.#text('user');
    const groups = own(this.#item, 'groups') ?? [];
    if (!isTexts(groups)) this.#refuse('groups: must be a list of texts', 'groups');
    if (name === undefined && groups.length > 0)
      this.#refuse('groups: must not be set without user', 'groups');
    return name === undefined ? undefined : { name, groups: [...groups, 'system:authenticated'] };
  }

  #labels(): KubeObject | undefined {
    const labels = own(this.#item, 'namespaceLabels');
    if (labels === undefined || (isObject(labels) && isTexts(Object.values(labels)))) return labels;
    return this.#refuse('namespaceLabels: must be a map of texts', 'namespaceLabels');
  }

  #expected(written: KubeObject | undefined): Expectation {
    const value = own(this.#item, 'expect');
    if (!isObject(value)) this.#refuse('expect: must be an object with verdict, message or object', 'expect');
    const { refuse, path } = this.#place;
    known(value, ['verdict', 'message', 'object'], { refuse, path: [...path, 'expect'] });
    const verdict: PolicyVerdict | undefined = oneOf(verdicts, own(value, 'verdict'));
    if (verdict === undefined)
      this.#refuse(`expect.verdict: must be one of ${verdicts.join(', ')}`, 'expect');
    const message = own(value, 'message');
    if (message !== undefined && (typeof message !== 'string' || verdict === 'allow')) {
      this.#refuse('expect.message: must be a text, for deny or warn', 'expect', 'message');
    }
    const object = own(value, 'object');
    const isStored = written !== undefined && verdict !== 'deny';
    if (object !== undefined && !(isObject(object) && isStored)) {
      this.#refuse('expect.object: must be an object, of a write that is let through', 'expect', 'object');
    }
    return { verdict, message, object };
  }
}

function known(object: KubeObject, keys: readonly string[], { refuse, path }: Place): void {
  const stranger = Object.keys(object).find((key) => !keys.includes(key));
  if (stranger !== undefined) throw refuse(`unknown field "${stranger}"`, ...path, stranger);
}

function oneOf<Text extends string>(texts: readonly Text[], value: JsonValue | undefined): Text | undefined {
  return texts.find((text) => text === value);
}

function isTexts(value: JsonValue): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
