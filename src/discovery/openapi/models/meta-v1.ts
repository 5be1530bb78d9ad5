import type { JsonObject } from '../../../meta/index.ts';
import { kindInAllGroups } from './kind-in-all-groups.ts';
import {
  flag,
  int32,
  int64,
  list,
  map,
  mapList,
  model,
  ofKind,
  plainText,
  ref,
  set,
  text,
  typeMeta,
} from './notation.ts';

const home = 'io.k8s.apimachinery.pkg.apis.meta.v1.';

/** Model names that documents reference. */
export const metaModels = {
  objectMeta: `${home}ObjectMeta`,
  listMeta: `${home}ListMeta`,
  status: `${home}Status`,
  deleteOptions: `${home}DeleteOptions`,
  patch: `${home}Patch`,
  time: `${home}Time`,
} as const;

const time = (description: string) => ref(metaModels.time, description);

const objectMeta = model(
  'What every stored object has besides its content: its name, its labels, and what the server notes about it.',
  {
    annotations: map(plainText, 'Notes by tools and people, free in form. They cannot be selected by.'),
    creationTimestamp: time('When the server created the object, in UTC. Set by the server.'),
    deletionGracePeriodSeconds: int64(
      'Seconds that the object has to end once it is being deleted. Set by the server.',
    ),
    deletionTimestamp: time(
      'When the object goes, once somebody has asked for its deletion. It stays until its finalizers are gone. Set by the server.',
    ),
    finalizers: list(
      plainText,
      'Who must do something before the object may go. Each takes its own entry away when it is done.',
      set,
    ),
    generateName: text('A prefix from which the server makes a unique name, where no name is given.'),
    generation: int64('Counts the changes of the desired state. Set by the server.'),
    labels: map(plainText, 'Names and values that objects are organized and selected by.'),
    managedFields: list(
      ref(`${home}ManagedFieldsEntry`),
      'Which fields were set by whom. Server-side apply works with it.',
    ),
    name: text('Unique among the objects of the same kind in the namespace. It cannot be changed.'),
    namespace: text(
      'The space in which the name is unique; empty for kinds that stand outside namespaces. It cannot be changed.',
    ),
    ownerReferences: list(
      ref(`${home}OwnerReference`),
      'The objects that this one depends on. It is deleted when all of them are gone.',
      mapList('uid'),
    ),
    resourceVersion: text(
      'Names this state of the object. Clients may only compare it, and send it back to have a write refused when the object has changed in between.',
    ),
    selfLink: text('Not set any more.'),
    uid: text(
      'Unique in time and space: another object of the same name has another one. Set by the server.',
    ),
  },
);

const managedFieldsEntry = model('The fields that one manager has set in one way.', {
  apiVersion: text('The version of the object that the fields are written in.'),
  fieldsType: text('The format of the fields. There is one: FieldsV1.'),
  fieldsV1: ref(`${home}FieldsV1`, 'The fields, as a trie of their paths.'),
  manager: text('Who set the fields.'),
  operation: text('How the fields were set: Apply or Update.'),
  subresource: text('The subresource through which they were set; empty for the object itself.'),
  time: time('When the entry was last changed.'),
});

const ownerReference = model(
  'An object that another one depends on: in the same namespace, or outside all of them.',
  {
    apiVersion: text('The API version of the owner.'),
    blockOwnerDeletion: flag(
      'When true, an owner that is deleted in the foreground waits until this object is gone.',
    ),
    controller: flag('True for the one owner that manages this object.'),
    kind: text('The kind of the owner.'),
    name: text('The name of the owner.'),
    uid: text('The uid of the owner.'),
  },
  { required: ['apiVersion', 'kind', 'name', 'uid'], extensions: { 'x-kubernetes-map-type': 'atomic' } },
);

const listMeta = model('What a list says of itself.', {
  continue: text(
    'Set when there is more: send it with the next request to get the following part of the list.',
  ),
  remainingItemCount: int64('How many objects follow, where the server knows.'),
  resourceVersion: text('The state that the list shows; a watch from here misses nothing.'),
  selfLink: text('Not set any more.'),
});

const deleteOptions = model(
  'How an object is to be deleted.',
  {
    ...typeMeta,
    dryRun: list(plainText, 'With "All", the request goes through every stage and nothing is stored.'),
    gracePeriodSeconds: int64('Seconds that the object has to end; zero deletes at once.'),
    ignoreStoreReadErrorWithClusterBreakingPotential: flag(
      'Delete the object even if what is stored of it cannot be read. Nothing else runs then: no finalizers, no checks.',
    ),
    orphanDependents: flag('Deprecated: use propagationPolicy. True leaves the dependents without owner.'),
    preconditions: ref(
      `${home}Preconditions`,
      'What must be true of the object; otherwise the answer is 409 Conflict.',
    ),
    propagationPolicy: text(
      'What becomes of the dependents: Orphan leaves them, Background deletes them afterwards, Foreground before.',
    ),
  },
  { extensions: { 'x-kubernetes-group-version-kind': kindInAllGroups('DeleteOptions') } },
);

const preconditions = model('What must be true of an object for it to be deleted.', {
  resourceVersion: text('The resourceVersion that the object must have.'),
  uid: text('The uid that the object must have.'),
});

const status = model(
  'The outcome of a request that does not return an object.',
  {
    ...typeMeta,
    code: int32('The HTTP code of the answer, 0 where it is not set.'),
    details: ref(`${home}StatusDetails`, 'More about the reason, for programs.'),
    message: text('What happened, for people.'),
    metadata: ref(metaModels.listMeta, 'Metadata of a list; empty here.'),
    reason: text('Why the request failed, in one word for programs.'),
    status: text('Success or Failure.'),
  },
  { extensions: ofKind('', 'v1', 'Status') },
);

const statusDetails = model('What a failure is about.', {
  causes: list(ref(`${home}StatusCause`), 'Every mistake that was found.'),
  group: text('The group of the resource.'),
  kind: text('The resource, or the kind, of the object.'),
  name: text('The name of the object.'),
  retryAfterSeconds: int32('After how many seconds to try again.'),
  uid: text('The uid of the object, where one object is meant.'),
});

const statusCause = model('One mistake in a request.', {
  field: text('The field, as a path from the root of the object: "spec.ports[0].name".'),
  message: text('What is wrong, for people.'),
  reason: text('What is wrong, in one word for programs.'),
});

const condition = model(
  'One aspect of the state of an object.',
  {
    lastTransitionTime: time('When the status last changed.'),
    message: text('The details, for people.'),
    observedGeneration: int64('The generation that this was seen in.'),
    reason: text('Why the status is what it is, in one CamelCase word.'),
    status: text('True, False or Unknown.'),
    type: text('The name of the condition.'),
  },
  { required: ['type', 'status', 'lastTransitionTime', 'reason', 'message'] },
);

/** apimachinery, meta/v1. */
export const metaV1: JsonObject = {
  [metaModels.objectMeta]: objectMeta,
  [`${home}ManagedFieldsEntry`]: managedFieldsEntry,
  [`${home}FieldsV1`]: {
    description:
      'Paths of fields: "f:name" is a field, "k:{...}" an entry of a list by its keys, "v:..." a value of a set, "i:0" a place in a list, "." the node itself.',
    type: 'object',
  },
  [`${home}OwnerReference`]: ownerReference,
  [metaModels.listMeta]: listMeta,
  [metaModels.deleteOptions]: deleteOptions,
  [`${home}Preconditions`]: preconditions,
  [metaModels.status]: status,
  [`${home}StatusDetails`]: statusDetails,
  [`${home}StatusCause`]: statusCause,
  [`${home}Condition`]: condition,
  [metaModels.patch]: {
    description: 'A change of an object, in the format that the content type names.',
    type: 'object',
  },
  [metaModels.time]: {
    description: 'A moment, in RFC 3339 with whole seconds.',
    type: 'string',
    format: 'date-time',
  },
};
