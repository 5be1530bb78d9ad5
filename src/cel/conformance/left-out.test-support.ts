import type { IncrementalTest } from '@bufbuild/cel-spec/testdata/tests.js';

interface LeftOut {
  readonly why: string;
  is(name: string, test: IncrementalTest['original']): boolean;
}

/** cel-spec tests of features that Kubernetes does not enable, by reason. */
export const leftOut: readonly LeftOut[] = [
  {
    why: 'protobuf messages: Kubernetes declares none',
    is: (name) => /^(proto2|proto2_ext|proto3|enums|wrappers|dynamic)\//.test(name),
  },
  {
    why: 'protobuf messages in other files',
    is: (_, { expr, typeEnv, bindings }) =>
      /TestAllTypes|NestedTestAllTypes|TestRequired|google\.protobuf\.(?!Timestamp$|Duration$)|cel\.expr\.|proto\.|\b[A-Z]\w*\{/.test(
        expr,
      ) ||
      typeEnv.some(({ declKind }) => /messageType|wrapper/.test(JSON.stringify(declKind, bigintAsText))) ||
      /TestAllTypes/.test(JSON.stringify(bindings, bigintAsText)),
  },
  {
    why: 'libraries that are not enabled',
    is: (name) => /^(bindings_ext|block_ext|encoders_ext|math_ext)\//.test(name),
  },
  {
    why: 'evaluation without checking: Kubernetes always checks',
    is: (_, { disableCheck }) => disableCheck,
  },
  {
    why: 'functions that the test declares',
    is: (_, { typeEnv }) => typeEnv.some(({ declKind }) => declKind.case === 'function'),
  },
  {
    why: 'a field of a value that has none is absent, not an error: Kubernetes leaves that option off',
    is: (name) => /optionals\/(map_null_entry_no_such_key|map_present_key_invalid_field)$/.test(name),
  },
  {
    why: 'version 4 of the strings library formats numbers and nested values in another way; Kubernetes has version 2',
    is: (name, { expr }) =>
      /^string_ext\/format\//.test(name) &&
      (/%(\.\d+)?e|NaN|[Ii]nf/.test(expr) ||
        /scientific notation|(list|map)s? support|support for (lists|maps)|map support/.test(name)),
  },
  {
    why: 'cel-go answers otherwise, and so does Kubernetes',
    is: (name) =>
      /^fields\/qualified_identifier_resolution\/map_(key_float|key_null|value_repeat_key)/.test(name) ||
      /null_assignable_to_abstract_parameter_candidate$/.test(name),
  },
  {
    why: 'later versions of the strings library refuse what version 2 answers with -1',
    is: (name) => /value_errors\/(lastindexof|indexof)_out_of_range$/.test(name),
  },
];

function bigintAsText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
