import {
  type KubeObject,
  metadataOf,
  metadataString,
  nameOf,
  namespaceOf,
  ownString,
} from '../../meta/index.ts';
import { type Answer, type ApiClient, pathOf, type ServedKind } from '../../client/index.ts';
import { missingFrom } from './missing-from.ts';
import { type PolicyCase, type PolicyVerdict, subjectOf } from './policy-case.ts';

/** An error in a case's object must not count as a denial: refusals for unknown fields are not from a policy. */
const query = 'dryRun=All&fieldValidation=Strict';

/** Makes the write of a case as a dry run. Returns the reason if the result is not the expected one. */
export async function askCase(
  client: ApiClient,
  one: PolicyCase,
  kinds: readonly ServedKind[],
): Promise<string | undefined> {
  const subject = subjectOf(one);
  const apiVersion = ownString(subject, 'apiVersion') ?? '';
  const kind = ownString(subject, 'kind') ?? '';
  const served = kinds.find((each) => each.apiVersion === apiVersion && each.kind === kind);
  if (served === undefined) return `no matches for kind "${kind}" in version "${apiVersion}"`;
  return failureOf(await write(client, one, served), one);
}

async function write(client: ApiClient, one: PolicyCase, kind: ServedKind): Promise<Answer> {
  const { object, oldObject = {} } = one;
  const subject = subjectOf(one);
  const namespace = namespaceOf(subject);
  if (one.operation === 'CREATE') return client.call('POST', `${pathOf(kind, namespace)}?${query}`, object);
  const path = pathOf(kind, namespace, nameOf(oldObject) || '%00');
  if (object === undefined) return client.call('DELETE', `${path}?dryRun=All`);
  const { object: present = {} } = await client.call('GET', path);
  const { uid: _, ...metadata } = metadataOf(object);
  const resourceVersion = metadataString(present, 'resourceVersion');
  return client.call('PUT', `${path}?${query}`, { ...object, metadata: { ...metadata, resourceVersion } });
}

function failureOf({ object, refusal, warnings }: Answer, { expected }: PolicyCase): string | undefined {
  const said = refusal === undefined ? warnings.filter(isOfPolicy) : [refusal.message ?? ''];
  if (refusal !== undefined && !isDenial(said[0] ?? '')) return `refused, but not by a policy: ${said[0]}`;
  const verdict: PolicyVerdict = refusal !== undefined ? 'deny' : said.length > 0 ? 'warn' : 'allow';
  if (verdict !== expected.verdict) {
    return [`expected ${expected.verdict}, got ${verdict}`, ...said].join(': ');
  }
  const { message } = expected;
  if (message !== undefined && !said.some((text) => text.includes(message))) {
    return `expected the message ${JSON.stringify(message)}, got ${said.map((text) => JSON.stringify(text)).join(', ')}`;
  }
  return expected.object === undefined ? undefined : missingFrom(object as KubeObject, expected.object);
}

/** Source: apiserver, policy/validating/dispatcher.go and policy/mutating/dispatcher.go. */
function isDenial(message: string): boolean {
  return /(?:^|: )(?:ValidatingAdmissionPolicy '|policy ['"]).* denied request: /s.test(message);
}

function isOfPolicy(warning: string): boolean {
  return warning.startsWith("Validation failed for ValidatingAdmissionPolicy '");
}
