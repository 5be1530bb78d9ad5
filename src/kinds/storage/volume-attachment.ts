import { keepingMetadata } from '../definition/kept-metadata.ts';
import {
  checkDnsSubdomain,
  declared,
  type FieldError,
  forbidden,
  type KubeObject,
  own,
  ownObject,
  required,
  tooLong,
} from '../../meta/index.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { invalidAs, textAt } from '../rules/field-checks.ts';
import type { KindRule } from '../rules/field-rules.ts';
import { specOf, statusOf } from '../rules/workload.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';

/** Source: kubernetes, pkg/apis/storage/validation; without the rules for inline volumes. */

const messageBytesMax = 1024;
const metadataBytesMax = 256 * 1024;

const statusRules: readonly KindRule[] = [
  metadataErrors,
  ...['status.attachError', 'status.detachError'].flatMap((path) => [
    { path: `${path}.message`, maxBytes: messageBytesMax },
    { path: `${path}.errorCode`, min: 0, says: 'must be between 0 and 2147483647, inclusive' },
  ]),
];

const rules: readonly KindRule[] = [
  { path: 'spec', immutable: true, declared: true },
  attacherErrors,
  sourceErrors,
  (attachment) => invalidAs('spec.nodeName', textAt(specOf(attachment), 'nodeName'), checkDnsSubdomain),
  ...statusRules,
];

const attacherMax = 63;

/** The name of a driver, with the messages of upstream's declarative validation. */
function attacherErrors(attachment: KubeObject): FieldError[] {
  const path = 'spec.attacher';
  const attacher = textAt(specOf(attachment), 'attacher');
  if (attacher === '') return [declared(required(path))];
  const tooManyLetters = { ...tooLong(path, -1), detail: `may not be more than ${attacherMax} characters` };
  const errors = [
    ...invalidAs(path, attacher, () => caselessNameMistakes(attacher)),
    ...(attacher.length > attacherMax ? [tooManyLetters] : []),
  ];
  return errors.map(declared);
}

const nameBytesMax = 253;

function caselessNameMistakes(name: string): string[] {
  if (Buffer.byteLength(name) > nameBytesMax) return [`must be no more than ${nameBytesMax} bytes`];
  return checkDnsSubdomain(name.toLowerCase()).length === 0 ? [] : [caselessName];
}

const caselessName =
  "an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', and must start and end with an " +
  "alphanumeric character (e.g. 'Example.com', regex used for validation is " +
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

function sourceErrors(attachment: KubeObject): FieldError[] {
  const path = 'spec.source';
  const source = ownObject(specOf(attachment), 'source') ?? {};
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

function metadataErrors(attachment: KubeObject): FieldError[] {
  const metadata = Object.entries(ownObject(statusOf(attachment), 'attachmentMetadata') ?? {});
  const bytes = metadata.flat().reduce<number>((sum, text) => sum + Buffer.byteLength(String(text)), 0);
  return bytes > metadataBytesMax ? [tooLong('status.attachmentMetadata', metadataBytesMax)] : [];
}

/** VolumeAttachment objects have no effect: no volume is attached. */
export const volumeAttachmentKind: BuiltInKind = keepingMetadata(
  {
    strategy: ruledStrategy({
      returnsDeleted: true,
      firstStatus: () => ({ attached: false }),
      rules,
      statusRules,
    }),
    type: builtInType({
      group: 'storage.k8s.io',
      version: 'v1',
      kind: 'VolumeAttachment',
      resource: 'volumeattachments',
      namespaced: false,
      status: true,
      columns: [
        column('Attacher', '.spec.attacher', {
          format: 'name',
          description: 'The driver that attaches the volume.',
        }),
        column('PV', '.spec.source.persistentVolumeName', { description: 'The volume.' }),
        column('Node', '.spec.nodeName', { description: 'The node of the volume.' }),
        column('Attached', '.status.attached', {
          type: 'boolean',
          description: 'Whether the volume is attached.',
        }),
        ageColumn,
      ],
    }),
  },
  'all',
);
