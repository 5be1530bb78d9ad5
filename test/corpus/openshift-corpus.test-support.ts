import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import { isObject, type JsonObject, type KubeObject } from '../../src/meta/index.ts';

/**
 * The declarative test suites of openshift/api: objects with what must become of them or why they must be refused,
 * which upstream runs against kube-apiserver. They are in a folder that is not part of the repository, `shared/crds`
 * in a folder above this one, or `$ILK_CORPUS`; without it these tests are skipped.
 */
function findSuites(): string | undefined {
  const configured = process.env['ILK_CORPUS'];
  if (configured !== undefined) return join(configured, 'openshift-api');
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const candidate = join(folder, 'shared', 'crds', 'openshift-api');
    if (existsSync(candidate)) return candidate;
    if (folder === resolve(folder, '..')) return undefined;
  }
}

export interface Case {
  readonly name: string;
  readonly initialCRDPatches?: readonly JsonObject[];
  readonly initial: string;
  readonly updated?: string;
  readonly expected?: string;
  readonly expectedError?: string;
  readonly expectedStatusError?: string;
}

export interface Suite {
  readonly crdName: string;
  readonly tests: { readonly onCreate?: readonly Case[]; readonly onUpdate?: readonly Case[] };
}

/** Cases that end otherwise here, and why. */
export const exceptions: Readonly<Record<string, string>> = {
  'Should be able to create an aws resourcetag with spaces':
    'expects defaults of fields that are in the CRD of a gate that the corpus lacks',
  "Should be able to create an aws resourcetag with characters '_', '.', '/', '=', '+', '-', ':', '@'":
    'the same',
};

export const folder = findSuites();
export const files = folder === undefined ? [] : readdirSync(join(folder, 'tests'));

/**
 * A CRD of one gate holds what the gate adds, and sometimes refers to what others add: upstream puts them together.
 */
const completedBy: Readonly<Record<string, { readonly file: string; readonly part?: 'status' }>> = {
  'config_v1__authentications.config.openshift.io__ExternalOIDCExternalClaimsSourcing.yaml': {
    file: 'config_v1__authentications.config.openshift.io__ExternalOIDC.yaml',
    part: 'status',
  },
  'config_v1__authentications.config.openshift.io__ExternalOIDCWithUpstreamParity.yaml': {
    file: 'config_v1__authentications.config.openshift.io__ExternalOIDC.yaml',
    part: 'status',
  },
  'config_v1__clusterversions.config.openshift.io__ClusterUpdatePreflight.yaml': {
    file: 'config_v1__clusterversions.config.openshift.io__ClusterUpdateAcceptRisks.yaml',
  },
  'config_v1__clusterversions.config.openshift.io__ImageStreamImportMode.yaml': {
    file: 'config_v1__clusterversions.config.openshift.io__AAA_ungated.yaml',
  },
  'config_v1__clusterversions.config.openshift.io__SignatureStores.yaml': {
    file: 'config_v1__clusterversions.config.openshift.io__AAA_ungated.yaml',
  },
};

/** The schema of the first version, or that of one of its properties. */
function schemaOf(crd: JsonObject, property?: string): JsonObject {
  const { versions } = crd['spec'] as { versions: { schema: { openAPIV3Schema: JsonObject } }[] };
  const root = versions[0]?.schema.openAPIV3Schema ?? {};
  return property === undefined ? root : ((root['properties'] as JsonObject)[property] as JsonObject);
}

/** Adds to a schema what another one has besides: fields, and rules that are not the same. */
function complete(target: JsonObject, other: JsonObject): void {
  for (const [key, value] of Object.entries(other)) {
    const known = target[key];
    if (known === undefined) target[key] = value;
    else if (isObject(known) && isObject(value)) complete(known, value);
    else if (key === 'x-kubernetes-validations' && Array.isArray(known) && Array.isArray(value)) {
      const rules = new Set(known.map((rule) => (rule as JsonObject)['rule']));
      known.push(...value.filter((rule) => !rules.has((rule as JsonObject)['rule'])));
    }
  }
}

function readYaml(path: string): unknown {
  return load(readFileSync(path, 'utf8'));
}

/** The CRD that a suite is about; suites of gates that are off go with the CRD without gates. */
export function crdOf(file: string): KubeObject {
  const name = `featuregated__${file.replace(/__-[^_]*\.yaml$/, '__AAA_ungated.yaml')}`;
  // The corpus is what it is: files of this name hold one CRD each.
  const crd = readYaml(join(folder ?? '', name)) as KubeObject;
  const other = completedBy[file];
  if (other !== undefined) {
    const added = readYaml(join(folder ?? '', `featuregated__${other.file}`)) as JsonObject;
    complete(schemaOf(crd, other.part), schemaOf(added, other.part));
  }
  const { name: crdName } = crd.metadata as { name: string };
  // The files without gates carry an annotation without a name, which is only there for upstream's own tools.
  return { ...crd, metadata: { name: crdName } };
}

/**
 * The suites were written for a kube-apiserver that named the type of a value in the errors of rules, and printed
 * duplicates as Go prints maps; since then it shows scalars, leaves the others out, and prints JSON.
 */
export function wordingToday(text: string): RegExp {
  const pattern = text
    .trim()
    .replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')
    .replace(/Invalid value: "(object|array)": /g, 'Invalid value: ("$1": )?')
    .replace(/Invalid value: "(string|integer|boolean)": /g, 'Invalid value: ("(\\\\.|[^"\\\\])*"|[-\\w]+): ')
    .replace('Invalid value: "null": ', 'Invalid value: null: ')
    .replace(/Duplicate value: map.*/s, 'Duplicate value: \\{');
  return new RegExp(pattern);
}

/** What is in the suite of a file. */
export function suiteOf(file: string): Suite {
  // The corpus is what it is: these files hold suites.
  return readYaml(join(folder ?? '', 'tests', file)) as Suite;
}
