import type { ResourceType, ResourceVersion } from '../../crd/index.ts';
import { modelName } from './model-name.ts';

/** All names of a resource in one version that its operations contain. */
export interface ResourceNames {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The kind with its article: `a Widget`. */
  readonly aKind: string;
  /** The plural name. */
  readonly resource: string;
  /** The path of the group version: `/apis/example.com/v1`. */
  readonly root: string;
  readonly model: string;
  readonly listModel: string;
  /** The group version in the names of operations: `ExampleComV1`. */
  readonly idPrefix: string;
  /** The group version as a tag: `exampleCom_v1`. */
  readonly tag: string;
}

/** The names of a resource in one version. */
export function resourceNames(type: ResourceType, { name: version }: ResourceVersion): ResourceNames {
  const { group, kind, resource } = type;
  const api = camelCase(group === '' ? 'core' : group.replace(/\.k8s\.io$/, ''));
  return {
    group,
    version,
    kind,
    aKind: withArticle(kind),
    resource,
    root: group === '' ? `/api/${version}` : `/apis/${group}/${version}`,
    model: modelName(type, version, kind),
    listModel: modelName(type, version, type.listKind),
    idPrefix: `${capitalized(api)}${capitalized(camelCase(version))}`,
    tag: `${api}_${camelCase(version)}`,
  };
}

export function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** `example.com` as `exampleCom`. */
function camelCase(name: string): string {
  return name
    .split(/[^\p{L}\p{Nd}_]+/u)
    .map((part, index) => (index === 0 ? part : capitalized(part)))
    .join('');
}

/** `a Widget`, `an Apple`; a single trailing s is taken for a plural. Source: apiserver, endpoints/installer.go. */
function withArticle(kind: string): string {
  if (/[^s]s$/.test(kind)) return kind;
  return `${/^[aeiou]/i.test(kind) ? 'an' : 'a'} ${kind}`;
}
