import type { Format } from './format.ts';

/** Dashes are optional; version and variant are only checked by the formats that name one. */
function uuidFormat(name: string, third: string, fourth: string): Format {
  const pattern = new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${third}-?${fourth}-?[0-9a-f]{12}$`, 'i');
  return { name, type: 'string', accepts: (text) => pattern.test(text) };
}

const anyGroup = '[0-9a-f]{4}';
const variantGroup = '[89ab][0-9a-f]{3}';

export const uuid: Format = uuidFormat('uuid', anyGroup, anyGroup);
export const uuid3: Format = uuidFormat('uuid3', '3[0-9a-f]{3}', anyGroup);
export const uuid4: Format = uuidFormat('uuid4', '4[0-9a-f]{3}', variantGroup);
export const uuid5: Format = uuidFormat('uuid5', '5[0-9a-f]{3}', variantGroup);
