import {
  checkDnsLabel,
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  isObject,
  type JsonObject,
  own,
  ownList,
  ownObject,
  ownString,
  required,
} from '../../meta/index.ts';
import { compareQuantities, eachIn, invalidAs, numberAt, textAt } from './field-checks.ts';
import {
  asItIs,
  backstepErrors,
  csiDriverErrors,
  hostPathErrors,
  nfsErrors,
  oneSourceErrors,
  type SourceCheck,
} from './validate-volume-source.ts';

/** The volumes of a pod. Source: kubernetes, pkg/apis/core/validation, ValidateVolumes. */

/** The sound volumes by name, which containers may mount. */
export type Volumes = ReadonlyMap<string, JsonObject>;

export function volumesOf(
  path: string,
  spec: JsonObject,
): { readonly volumes: Volumes; readonly errors: FieldError[] } {
  const volumes = new Map<string, JsonObject>();
  const names = new Set<string>();
  const errors = eachIn(path, spec, 'volumes', (volume, at) => {
    const name = textAt(volume, 'name');
    const found = [...sourceErrors(volume, at), ...nameErrors(`${at}.name`, name, names)];
    names.add(name);
    if (found.length === 0) volumes.set(name, volume);
    return found;
  });
  return { volumes, errors };
}

function nameErrors(path: string, name: string, others: ReadonlySet<string>): FieldError[] {
  const wrong = name === '' ? [required(path)] : invalidAs(path, name, checkDnsLabel);
  return others.has(name) ? [...wrong, duplicate(path, name)] : wrong;
}

/** What a volume of a pod may be, in upstream's order. */
const sources: ReadonlyMap<string, SourceCheck> = new Map<string, SourceCheck>([
  ['emptyDir', emptyDirErrors],
  ['hostPath', hostPathErrors],
  ['gitRepo', asItIs],
  ['gcePersistentDisk', asItIs],
  ['awsElasticBlockStore', asItIs],
  ['secret', (source, path) => [...missing(source, path, 'secretName'), ...filesErrors(source, path)]],
  ['nfs', nfsErrors],
  ['iscsi', asItIs],
  ['glusterfs', asItIs],
  ['flocker', asItIs],
  ['persistentVolumeClaim', (source, path) => missing(source, path, 'claimName')],
  ['rbd', asItIs],
  ['cinder', asItIs],
  ['cephfs', asItIs],
  ['quobyte', asItIs],
  ['downwardAPI', asItIs],
  ['fc', asItIs],
  ['flexVolume', asItIs],
  ['configMap', (source, path) => [...missing(source, path, 'name'), ...filesErrors(source, path)]],
  ['azureFile', asItIs],
  ['vsphereVolume', asItIs],
  ['photonPersistentDisk', asItIs],
  ['portworxVolume', asItIs],
  ['azureDisk', asItIs],
  ['storageos', asItIs],
  ['projected', asItIs],
  ['scaleIO', asItIs],
  ['csi', csiDriverErrors],
  ['ephemeral', asItIs],
  ['image', asItIs],
]);

/** True for a volume with a source. */
export function hasSource(volume: JsonObject): boolean {
  return [...sources.keys()].some((field) => isObject(own(volume, field)));
}

function sourceErrors(volume: JsonObject, path: string): FieldError[] {
  const { errors, count } = oneSourceErrors(volume, path, sources);
  return count === 0 ? [...errors, required(path, 'must specify a volume type')] : errors;
}

function missing(source: JsonObject, path: string, field: string): FieldError[] {
  return textAt(source, field) === '' ? [required(`${path}.${field}`)] : [];
}

function emptyDirErrors(source: JsonObject, path: string): FieldError[] {
  const limit = own(source, 'sizeLimit');
  if (limit === undefined || compareQuantities(limit) >= 0) return [];
  return [forbidden(`${path}.sizeLimit`, 'SizeLimit field must be a valid resource quantity')];
}

const modeMax = 0o777;
const modeText = 'must be a number between 0 and 0777 (octal), both inclusive';

function modeErrors(source: JsonObject, path: string, field: string): FieldError[] {
  const mode = numberAt(source, field);
  if (mode === undefined || (mode >= 0 && mode <= modeMax)) return [];
  return [invalid(`${path}.${field}`, mode, modeText)];
}

function filesErrors(source: JsonObject, path: string): FieldError[] {
  return [...modeErrors(source, path, 'defaultMode'), ...eachIn(path, source, 'items', fileErrors)];
}

function fileErrors(file: JsonObject, path: string): FieldError[] {
  const where = textAt(file, 'path');
  return [
    ...missing(file, path, 'key'),
    ...missing(file, path, 'path'),
    ...descendingPathErrors(`${path}.path`, where),
    ...(where.startsWith('..') && !where.split('/').includes('..')
      ? [invalid(`${path}.path`, where, "must not start with '..'")]
      : []),
    ...modeErrors(file, path, 'mode'),
  ];
}

/** A path below another. */
function descendingPathErrors(path: string, text: string): FieldError[] {
  const absolute = text.startsWith('/') ? [invalid(path, text, 'must be a relative path')] : [];
  return [...absolute, ...backstepErrors(path, text)];
}

/** What containers mount must be there, each at a place of its own. */
export function mountErrors(container: JsonObject, path: string, volumes: Volumes): FieldError[] {
  const places = new Set<string>();
  const devices = (ownList(container, 'volumeDevices') ?? []).filter(isObject);
  const list = `${path}.volumeMounts`;
  return eachIn(path, container, 'volumeMounts', (mount, at) => {
    const [name, place] = [textAt(mount, 'name'), textAt(mount, 'mountPath')];
    const isTaken = places.has(place);
    places.add(place);
    return [
      ...missing(mount, at, 'name'),
      ...notFoundIn(volumes, `${at}.name`, name),
      ...missing(mount, at, 'mountPath'),
      ...(isTaken ? [invalid(`${at}.mountPath`, place, 'must be unique')] : []),
      ...(devices.some((device) => ownString(device, 'name') === name)
        ? [invalid(`${at}.name`, name, 'must not already exist in volumeDevices')]
        : []),
      // The place in the list is missing from upstream's paths.
      ...descendingPathErrors(`${list}.subPath`, textAt(mount, 'subPath')),
      ...expressionErrors(mount, at, list),
    ];
  });
}

function expressionErrors(mount: JsonObject, path: string, list: string): FieldError[] {
  const expression = textAt(mount, 'subPathExpr');
  if (expression === '') return [];
  const both = textAt(mount, 'subPath') !== '';
  const why = 'subPathExpr and subPath are mutually exclusive';
  return [
    ...(both ? [invalid(`${path}.subPathExpr`, expression, why)] : []),
    ...descendingPathErrors(`${list}.subPathExpr`, expression),
  ];
}

function notFoundIn(volumes: Volumes, path: string, name: string): FieldError[] {
  return volumes.has(name) ? [] : [{ type: 'FieldValueNotFound', field: path, value: name, detail: '' }];
}

/** Devices must be claims, and there. */
export function deviceErrors(container: JsonObject, path: string, volumes: Volumes): FieldError[] {
  const onlyClaims = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';
  return eachIn(path, container, 'volumeDevices', (device, at) => {
    const name = textAt(device, 'name');
    const volume = volumes.get(name);
    const isClaim =
      volume !== undefined &&
      ['persistentVolumeClaim', 'ephemeral'].some((field) => ownObject(volume, field) !== undefined);
    return [
      ...missing(device, at, 'name'),
      ...(volume !== undefined && !isClaim ? [invalid(`${at}.name`, name, onlyClaims)] : []),
      ...notFoundIn(volumes, `${at}.name`, name),
      ...missing(device, at, 'devicePath'),
    ];
  });
}
