const keyBytesMax = 253;
const keyForm = /^[-._a-zA-Z0-9]+$/;
const keyText =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  " +
  "or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

/** True for nearly all valid keys: a fast check before {@link dataKeyTexts}. */
export function isPlainDataKey(key: string): boolean {
  return key.length <= keyBytesMax && keyForm.test(key) && !key.startsWith('.');
}

/** The mistakes in a key of a ConfigMap or a Secret. Source: apimachinery, IsConfigMapKey. */
export function dataKeyTexts(key: string): string[] {
  const mistakes: string[] = [];
  if (Buffer.byteLength(key) > keyBytesMax) mistakes.push(`must be no more than ${keyBytesMax} characters`);
  if (!keyForm.test(key)) mistakes.push(keyText);
  if (key === '.') mistakes.push("must not be '.'");
  else if (key === '..') mistakes.push("must not be '..'");
  else if (key.startsWith('..')) mistakes.push("must not start with '..'");
  return mistakes;
}
