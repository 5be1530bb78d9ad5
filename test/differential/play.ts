import type { JsonObject } from '../../src/meta/index.ts';
import type { Chapter, Step } from './chapter.ts';
import { normalized, type RawAnswer } from './normalize.ts';

/** Sends one request and gives the answer. */
export type Send = (step: Step) => Promise<RawAnswer>;

const crdsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** The answers to the requests of a chapter, in their order; those about objects are left out where the CRD is refused. */
export async function play(chapter: Chapter, send: Send): Promise<string[]> {
  const answers: string[] = [];
  await remove(chapter.crd, send);
  for (const step of chapter.before) answers.push(normalized(await send(step)));
  const create: Step = {
    what: 'create the CRD',
    method: 'POST',
    path: crdsPath,
    type: 'application/json',
    body: JSON.stringify(chapter.crd),
  };
  const created = await send(create);
  answers.push(normalized(created));
  if (created.code !== 201) return answers;
  await established(chapter.crd, send);
  for (const step of [...chapter.steps, ...chapter.after])
    answers.push(normalized(await send(await filled(step, send))));
  await remove(chapter.crd, send);
  return answers;
}

/** The requests that {@link play} sends, as far as their answers are kept. */
export function stepsOf(chapter: Chapter): readonly Step[] {
  const create = { what: 'create the CRD', method: 'POST', path: crdsPath };
  return [...chapter.before, create, ...chapter.steps, ...chapter.after];
}

function nameOf(crd: JsonObject): string {
  return String((crd['metadata'] as JsonObject)['name']);
}

/** Inserts the version and uid of a step's object where its body refers to them. */
async function filled(step: Step, send: Send): Promise<Step> {
  if (step.of === undefined || step.body === undefined) return step;
  const { code, text } = await send({ what: 'look', method: 'GET', path: step.of });
  const { resourceVersion = '1', uid = '' } = code === 200 ? JSON.parse(text).metadata : {};
  const body = step.body.replaceAll('{{resourceVersion}}', resourceVersion).replaceAll('{{uid}}', uid);
  return { ...step, body };
}

/** Deletes the CRD, if it is there, and waits until it is gone. */
async function remove(crd: JsonObject, send: Send): Promise<void> {
  const path = `${crdsPath}/${nameOf(crd)}`;
  const { code } = await send({ what: 'delete the CRD', method: 'DELETE', path });
  for (let attempt = 0; code === 200 && attempt < 1_000; attempt += 1) {
    if ((await send({ what: 'look', method: 'GET', path })).code === 404) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Waits until every version of the CRD answers. */
async function established(crd: JsonObject, send: Send): Promise<void> {
  const { group, versions } = crd['spec'] as { group: string; versions: { name: string }[] };
  const paths = [
    `${crdsPath}/${nameOf(crd)}`,
    ...versions.map(({ name }) => `/apis/${group}/${name}/widgets`),
  ];
  for (const path of paths) {
    for (let attempt = 0; attempt < 1_000; attempt += 1) {
      const { code, text } = await send({ what: 'look', method: 'GET', path });
      if (code === 200 && (!path.startsWith(crdsPath) || text.includes('"type":"Established"'))) break;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}
