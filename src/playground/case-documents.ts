import { loadFile, type LoadedObject, LoadError } from '../manifests/index.ts';
import { isObject, type KubeObject, own, ownString } from '../meta/index.ts';
import { isCrd } from '../offline/index.ts';
import { kindOfCrd, wrapSchema } from './bare-schema.ts';
import type { DocumentName, PlaygroundCase } from './playground-case.ts';
import type { PlaygroundProblem } from './playground-result.ts';

/** The parsed texts of a case. */
export interface CaseDocuments {
  readonly crds: readonly LoadedObject[];
  /** Policies, bindings, parameters, namespaces. */
  readonly policies: readonly LoadedObject[];
  readonly object: LoadedObject | undefined;
  readonly oldObject: LoadedObject | undefined;
}

/** Parses the texts; returns the errors if they are invalid. */
export async function readDocuments(
  one: PlaygroundCase,
): Promise<CaseDocuments | readonly PlaygroundProblem[]> {
  const problems: PlaygroundProblem[] = [];
  const read = async (document: DocumentName) => readDocument(document, one[document], problems);
  const definition = await read('definition');
  const policies = await read('policies');
  const object = only(await read('object'), problems);
  const oldObject = only(await read('oldObject'), problems);
  const [schema] = definition;
  const crds =
    schema !== undefined && definition.length === 1 && ownString(schema.object, 'kind') === undefined
      ? [wrapSchema(schema, object?.object ?? oldObject?.object)]
      : definition;
  for (const { object: wrong, line } of crds.filter((crd) => !isCrd(crd)))
    problems.push(problem('definition', line, `${ownString(wrong, 'kind') ?? 'this'} is no definition`));
  if (object === undefined && oldObject === undefined)
    problems.push(problem('object', 1, 'write an object, to see what the server makes of it'));
  if (problems.length > 0) return problems;
  const complete = (loaded: LoadedObject | undefined) => loaded && completed(loaded, crds[0]?.object);
  return { crds, policies, object: complete(object), oldObject: complete(oldObject) };
}

/** The objects of a text; notes what is wrong with it. */
export async function readDocument<Document extends string>(
  document: Document,
  text: string,
  problems: PlaygroundProblem<Document>[],
): Promise<LoadedObject[]> {
  try {
    return await loadFile({ file: document, read: async () => Buffer.from(text) });
  } catch (error) {
    if (!(error instanceof LoadError)) throw error;
    const message = error.message.replace(`${document}: `, '').replace(new RegExp(`^${document}:\\d+: `), '');
    const line = Number(
      /\bline (\d+)/.exec(error.message)?.[1] ?? /^\w+:(\d+):/.exec(error.message)?.[1] ?? 1,
    );
    problems.push(problem(document, line, message));
    return [];
  }
}

function problem<Document extends string>(
  document: Document,
  line: number,
  message: string,
): PlaygroundProblem<Document> {
  return { document, line, field: '', message };
}

function only(loaded: readonly LoadedObject[], problems: PlaygroundProblem[]): LoadedObject | undefined {
  const [first, second] = loaded;
  if (second !== undefined)
    problems.push({
      document: second.file as DocumentName,
      line: second.line,
      field: '',
      message: 'one object only',
    });
  return first;
}

/** For a single definition, the object may omit kind and name. */
function completed(loaded: LoadedObject, crd: KubeObject | undefined): LoadedObject {
  const { object } = loaded;
  const { apiVersion, kind } = kindOfCrd(crd ?? {});
  return {
    ...loaded,
    object: {
      ...object,
      ...(own(object, 'apiVersion') === undefined && apiVersion !== '' ? { apiVersion } : {}),
      ...(own(object, 'kind') === undefined && kind !== '' ? { kind } : {}),
      ...namedMetadata(object),
    },
  };
}

function namedMetadata(object: KubeObject): KubeObject {
  const metadata = own(object, 'metadata') ?? {};
  if (!isObject(metadata)) return {};
  const hasName = own(metadata, 'name') !== undefined || own(metadata, 'generateName') !== undefined;
  return hasName ? {} : { metadata: { ...metadata, name: 'playground' } };
}
