import {
  dnsSubdomainName,
  metadataOf,
  type NameRule,
  validateObjectMetaCreate,
  validateObjectMetaUpdate,
} from '../../meta/index.ts';
import { namesOf, textOf } from '../spec-view.ts';
import type { CrdRule } from './crd-check.ts';

/** Standard object metadata; the name must be `<plural>.<group>`. */
export const metadataRule: CrdRule = ({ crd, old, spec }) => {
  const metadata = metadataOf(crd);
  if (old !== undefined) return validateObjectMetaUpdate(metadata, metadataOf(old), { namespaced: false });
  const needed = `${textOf(namesOf(spec.raw, 'names'), 'plural')}.${textOf(spec.raw, 'group')}`;
  return validateObjectMetaCreate(metadata, { namespaced: false, names: nameRule(needed) });
};

function nameRule(needed: string): NameRule {
  const mismatch = (name: string) => (name === needed ? [] : ['must be spec.names.plural+"."+spec.group']);
  return {
    checkName: (name) => [...dnsSubdomainName.checkName(name), ...mismatch(name)],
    checkPrefix: (prefix) => [...dnsSubdomainName.checkPrefix(prefix), ...mismatch(prefix)],
  };
}
