/** Selector features beyond Kubernetes. All are on by default; with all off, selectors work as in kube-apiserver. */
export interface SelectorOptions {
  /** Uses indexes for lists and watches by a field or a label; if off, every object is examined. */
  readonly indexes: boolean;
  /** `spec.color in (blue,green)`, `notin`, `exists` and `!spec.color` in a fieldSelector. */
  readonly setBasedFieldSelectors: boolean;
  /** Allows `.spec.ports[*].name` in the selectable fields of a CRD. */
  readonly selectableArrayPaths: boolean;
  /** `filter=<CEL>` on lists and watches. */
  readonly celFilters: boolean;
  /** The maximum number of selectable fields of a version; Kubernetes' limit is 8. */
  readonly selectableFieldsMax: number;
}

/** Kubernetes' behaviour, without extensions. */
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
