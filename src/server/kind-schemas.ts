import type { KindSchema, KindSchemas } from '../admission/index.ts';
import { formatGroupVersion, type GroupVersionResource } from '../meta/index.ts';
import type { Registry } from '../registry/index.ts';

/** The schemas of the kinds that are currently served. */
export function kindSchemas(registry: Registry): KindSchemas {
  return {
    async ofResource({ group, version, resource }: GroupVersionResource): Promise<KindSchema | undefined> {
      const served = await registry.find(group, version, resource);
      const schema = served?.version.openAPIV3Schema;
      return served && schema && { kind: { group, version, kind: served.type.kind }, schema };
    },

    async ofKind(apiVersion, kind) {
      const { resources } = await registry.freshCatalog();
      for (const { type } of resources.filter((resource) => resource.type.kind === kind)) {
        const version = type.versions.find(({ name }) => formatGroupVersion(type.group, name) === apiVersion);
        const schema = version?.openAPIV3Schema;
        if (version && schema) return { kind: { group: type.group, version: version.name, kind }, schema };
      }
      return undefined;
    },
  };
}
