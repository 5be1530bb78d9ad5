import { type FieldError, invalid, type KubeObject, tooLong } from '../../meta/index.ts';
import { checkData, dataBytesMax, mapAt } from './data-keys.ts';
import { immutableDataErrors } from './immutable-data.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';

/** Source: kubernetes, pkg/apis/core/validation, ValidateConfigMap. */
function validate(configMap: KubeObject): FieldError[] {
  const [data, binaryData] = [mapAt(configMap, 'data'), mapAt(configMap, 'binaryData')];
  const both = Object.keys(binaryData).length === 0 ? {} : data;
  const twice = Object.keys(both)
    .filter((key) => Object.hasOwn(binaryData, key))
    .map((key) => invalid(`data[${key}]`, key, 'duplicate of key present in binaryData'));
  const texts = checkData(configMap, 'data', 'utf8');
  const binaries = checkData(configMap, 'binaryData', 'base64');
  const size = texts.bytes + binaries.bytes > dataBytesMax ? [tooLong('', dataBytesMax)] : [];
  return [...texts.errors, ...twice, ...binaries.errors, ...size];
}

export const configMapKind: BuiltInKind = {
  strategy: ruledStrategy({
    validate,
    validateChange: (configMap, old) => immutableDataErrors(configMap, old, ['data', 'binaryData']),
  }),
  type: builtInType({
    group: '',
    version: 'v1',
    kind: 'ConfigMap',
    resource: 'configmaps',
    namespaced: true,
    shortNames: ['cm'],
    columns: [
      column('Data', '', {
        type: 'integer',
        read: (configMap) =>
          Object.keys(mapAt(configMap, 'data')).length + Object.keys(mapAt(configMap, 'binaryData')).length,
        description: 'The number of keys.',
      }),
      ageColumn,
    ],
  }),
};
