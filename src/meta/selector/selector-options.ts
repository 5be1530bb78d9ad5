/**
 * What selectors can do beyond Kubernetes, and how. Everything is on by default; where all is off, a server selects as
 * kube-apiserver does.
 */
export interface SelectorOptions {
  /** Lists and watches by a field or a label are answered from indexes; off, every object is looked at. */
  readonly indexes: boolean;
  /** `spec.color in (blue,green)`, `notin`, `exists` and `!spec.color` in a fieldSelector. */
  readonly setBasedFieldSelectors: boolean;
  /** `.spec.ports[*].name` among the selectable fields of a CRD. */
  readonly selectableArrayPaths: boolean;
  /** `filter=<CEL>` on lists and watches. */
  readonly celFilters: boolean;
  /** As many fields of a version may be selected by; Kubernetes' own limit is 8. */
  readonly selectableFieldsMax: number;
}

/** What Kubernetes does, and no more. */
export const kubernetesSelectors: SelectorOptions = Object.freeze({
  indexes: false,
  setBasedFieldSelectors: false,
  selectableArrayPaths: false,
  celFilters: false,
  selectableFieldsMax: 8,
});

export const defaultSelectorOptions: SelectorOptions = Object.freeze({
  indexes: true,
  setBasedFieldSelectors: true,
  selectableArrayPaths: true,
  celFilters: true,
  selectableFieldsMax: 8,
});
