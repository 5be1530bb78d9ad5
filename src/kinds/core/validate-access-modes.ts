import {
  type FieldError,
  forbidden,
  type JsonObject,
  notSupported,
  own,
  stringList,
} from '../../meta/index.ts';

const modes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
const alone = 'ReadWriteOncePod';

/** Who may use a volume at once. Source: kubernetes, pkg/apis/core/validation. */
export function accessModeErrors(spec: JsonObject): FieldError[] {
  const given = stringList(own(spec, 'accessModes'));
  const path = 'spec.accessModes';
  const isMixed = given.includes(alone) && given.some((mode) => mode !== alone && modes.includes(mode));
  return [
    ...given.filter((mode) => !modes.includes(mode)).map((mode) => notSupported(path, mode, modes)),
    ...(isMixed ? [forbidden(path, 'may not use ReadWriteOncePod with other access modes')] : []),
  ];
}

/** What a volume is to a pod. */
export const volumeModes = ['Block', 'Filesystem'];
