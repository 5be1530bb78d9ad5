import type { FieldPath } from '../../meta/index.ts';
import type { SchemaDocument } from './schema-document.ts';
import type { SchemaSite, SchemaStep } from './schema-site.ts';
import { SchemaTrail } from './schema-trail.ts';

type Step = Omit<SchemaStep, 'schema'>;

/** A schema during a survey. Its location is only computed on demand. */
export class SurveyedPlace {
  readonly schema: SchemaDocument;
  readonly #above: SurveyedPlace | undefined;
  readonly #step: Step | undefined;
  /** True below `apiVersion`, `kind` and `metadata` of a resource. */
  readonly insideMetadata: boolean;
  /** True in the values of a map, at any depth. */
  readonly insideMap: boolean;

  private constructor(schema: SchemaDocument, above?: SurveyedPlace, step?: Step) {
    this.schema = schema;
    this.#above = above;
    this.#step = step;
    this.insideMetadata = above !== undefined && (above.insideMetadata || above.#hasMetadata(step));
    this.insideMap = above?.insideMap === true || step?.keyword === 'additionalProperties';
  }

  static root(schema: SchemaDocument): SurveyedPlace {
    return new SurveyedPlace(schema);
  }

  /** The location of a child schema. */
  below(schema: SchemaDocument, step: Step): SurveyedPlace {
    return new SurveyedPlace(schema, this, step);
  }

  get isRoot(): boolean {
    return this.#above === undefined;
  }

  #hasMetadata(step: Step | undefined): boolean {
    const { keyword, name } = step ?? {};
    if (keyword !== 'properties' || (name !== 'metadata' && name !== 'kind' && name !== 'apiVersion'))
      return false;
    return this.isRoot || this.schema['x-kubernetes-embedded-resource'] === true;
  }

  /** The location in the form of the exact check; `root` is that of the whole schema. Defaults are allowed here. */
  site(root: FieldPath): SchemaSite {
    const { schema, insideMetadata } = this;
    const known = { schema, insideMetadata, defaultsForbidden: undefined };
    if (this.#above === undefined || this.#step === undefined) {
      return { ...known, path: root, isRoot: true, uncorrelatable: undefined, trail: SchemaTrail.root };
    }
    const above = this.#above.site(root);
    const { keyword, name } = this.#step;
    const path = above.path.child(keyword);
    return {
      ...known,
      path: name === undefined ? path : path.key(name),
      isRoot: false,
      uncorrelatable: above.uncorrelatable ?? (this.#isCorrelatable() ? undefined : above.path),
      trail: above.trail?.followedBy({ ...this.#step, schema: above.schema }),
    };
  }

  /** List items are correlatable if keys identify them. */
  #isCorrelatable(): boolean {
    return this.#step?.keyword !== 'items' || this.#above?.schema['x-kubernetes-list-type'] === 'map';
  }
}
