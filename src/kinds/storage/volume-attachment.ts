import {
  checkDnsSubdomain,
  equal,
  type FieldError,
  forbidden,
  invalid,
  type JsonObject,
  type KubeObject,
  own,
  ownObject,
  required,
  tooLong,
} from '../../meta/index.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { invalidAs, numberAt, textAt } from '../rules/field-checks.ts';
import { specOf, statusOf } from '../rules/workload.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';

/** Source: kubernetes, pkg/apis/storage/validation; without what an inline volume is held to. */

const messageBytesMax = 1024;
const metadataBytesMax = 256 * 1024;

function validate(attachment: KubeObject): FieldError[] {
  const spec = specOf(attachment);
  return [
    ...attacherErrors(textAt(spec, 'attacher')),
    ...sourceErrors(ownObject(spec, 'source') ?? {}),
    ...invalidAs('spec.nodeName', textAt(spec, 'nodeName'), checkDnsSubdomain),
    ...statusErrors(attachment),
  ];
}

const attacherMax = 63;

/** As the name of a driver, in the words of upstream's declarative validation. */
function attacherErrors(attacher: string): FieldError[] {
  const path = 'spec.attacher';
  if (attacher === '') return [required(path)];
  const tooManyLetters = { ...tooLong(path, -1), detail: `may not be more than ${attacherMax} characters` };
  const isName = checkDnsSubdomain(attacher.toLowerCase()).length === 0;
  return [
    ...(attacher.length > attacherMax ? [tooManyLetters] : []),
    ...(isName ? [] : [invalid(path, attacher, caselessName)]),
  ];
}

const caselessName =
  "an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', and must start and end with an " +
  "alphanumeric character (e.g. 'Example.com', regex used for validation is " +
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

function sourceErrors(source: JsonObject): FieldError[] {
  const path = 'spec.source';
  const exactlyOne = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  const [name, inline] = [own(source, 'persistentVolumeName'), own(source, 'inlineVolumeSpec')];
  if (name === undefined && inline === undefined) return [required(path, exactlyOne)];
  if (name !== undefined && inline !== undefined) return [forbidden(path, exactlyOne)];
  if (name === undefined) return [];
  const why = 'must specify non empty persistentVolumeName';
  return [
    ...(name === '' ? [required(`${path}.persistentVolumeName`, why)] : []),
    ...invalidAs(`${path}.persistentVolumeName`, String(name), checkDnsSubdomain),
  ];
}

function statusErrors(attachment: KubeObject): FieldError[] {
  const status = statusOf(attachment);
  const metadata = Object.entries(ownObject(status, 'attachmentMetadata') ?? {});
  const bytes = metadata.flat().reduce<number>((sum, text) => sum + Buffer.byteLength(String(text)), 0);
  return [
    ...(bytes > metadataBytesMax ? [tooLong('status.attachmentMetadata', metadataBytesMax)] : []),
    ...['attachError', 'detachError'].flatMap((field) =>
      volumeErrorErrors(`status.${field}`, ownObject(status, field) ?? {}),
    ),
  ];
}

function volumeErrorErrors(path: string, error: JsonObject): FieldError[] {
  const code = numberAt(error, 'errorCode') ?? 0;
  return [
    ...(Buffer.byteLength(textAt(error, 'message')) > messageBytesMax
      ? [tooLong(`${path}.message`, messageBytesMax)]
      : []),
    ...(code < 0 ? [invalid(`${path}.errorCode`, code, 'must be between 0 and 2147483647, inclusive')] : []),
  ];
}

function validateChange(attachment: KubeObject, old: KubeObject): FieldError[] {
  const spec = own(attachment, 'spec');
  return equal(spec, own(old, 'spec')) ? [] : [invalid('spec', spec ?? null, 'field is immutable')];
}

/** Nobody attaches anything. */
export const volumeAttachmentKind: BuiltInKind = {
  strategy: ruledStrategy({
    returnsDeleted: true,
    firstStatus: () => ({ attached: false }),
    validate,
    validateChange,
    validateStatus: statusErrors,
  }),
  type: builtInType({
    group: 'storage.k8s.io',
    version: 'v1',
    kind: 'VolumeAttachment',
    resource: 'volumeattachments',
    namespaced: false,
    status: true,
    columns: [
      column('Attacher', '.spec.attacher', { format: 'name', description: 'The driver that attaches it.' }),
      column('PV', '.spec.source.persistentVolumeName', { description: 'The volume.' }),
      column('Node', '.spec.nodeName', { description: 'Where it is attached.' }),
      column('Attached', '.status.attached', { type: 'boolean', description: 'Whether it is attached.' }),
      ageColumn,
    ],
  }),
};
