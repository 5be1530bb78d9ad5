import { dirname, resolve } from 'node:path';
import { type AdmissionConfiguration, readAdmissionConfiguration } from '../../admission/index.ts';
import { decodeYaml } from '../../codec/index.ts';
import { isObject, type JsonObject } from '../../meta/index.ts';
import { readFlagFile } from './flag-file.ts';

const flag = '--admission-control-config-file';

/** Reads the file of `--admission-control-config-file`. @throws {Error} with one sentence */
export async function admissionConfigurationFlag(
  path: string | undefined,
): Promise<{ readonly admissionConfiguration?: AdmissionConfiguration }> {
  if (path === undefined) return {};
  const read = (relative: string) => documentOf(resolve(dirname(path), relative));
  try {
    return { admissionConfiguration: await readAdmissionConfiguration(await documentOf(path), read) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new Error(`failed to read plugin config: ${path}: ${error.message}`, { cause: error });
  }
}

async function documentOf(path: string): Promise<JsonObject> {
  const text = await readFlagFile(flag, path);
  const { value } = decodeYaml(Buffer.from(text));
  if (isObject(value)) return value;
  throw new RangeError('no object');
}
