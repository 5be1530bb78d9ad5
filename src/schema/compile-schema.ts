import {
  compareBytes,
  type FeatureGates,
  type FieldError,
  invalid,
  type JsonObject,
  own,
} from '../meta/index.ts';
import type {
  CompiledSchema,
  NormalizeOptions,
  ValidationReport,
  ValidationRequest,
} from './compiled-schema.ts';
import { coerceMetadata } from './metadata/coerce-metadata.ts';
import { repairGeneration } from './metadata/repair-generation.ts';
import { compileNormalizer, type Normalizer } from './normalize/compile-normalizer.ts';
import { NormalizeRun } from './normalize/normalize-run.ts';
import { blocksRules, type CompileRules, type RuleValidator } from './rule-validator.ts';
import { SchemaNode } from './schema-node.ts';
import { type Accepts, compileAccepts } from './validate/accepts.ts';
import { Correlation } from './validate/correlation.ts';
import { embeddedResourceErrors } from './validate/embedded-resources.ts';
import { explain } from './validate/explain.ts';
import { Findings } from './validate/findings.ts';
import { listTypeErrors } from './validate/list-types.ts';
import { type FieldSteps, type WithheldDefaults, withheldDefaults } from './withheld-defaults.ts';

/** Options for compiling a schema. */
export interface CompileOptions {
  readonly gates: FeatureGates;
  /** Compiles `x-kubernetes-validations`; if omitted, rules are not run. */
  readonly compileRules?: CompileRules;
  /** Fields without defaults, also inside of their parents' defaults. */
  readonly withheldDefaults?: readonly FieldSteps[];
  /** False for kinds whose objects may have no generation; stored objects without one are then unchanged. */
  readonly countsGenerations?: boolean;
}

/**
 * Compiles the `openAPIV3Schema` of a CustomResourceDefinition, which must have passed `checkSchema`.
 *
 * Compilation is lazy: a schema node is read when an object first reaches it. The schema must not be modified
 * afterwards.
 */
export function compileSchema(openAPIV3Schema: JsonObject, options: CompileOptions): CompiledSchema {
  return new StructuralSchema(new SchemaNode(openAPIV3Schema, options.gates), options);
}

class StructuralSchema implements CompiledSchema {
  readonly #root: SchemaNode;
  readonly #compileRules: CompileRules | undefined;
  readonly #withheld: WithheldDefaults | undefined;
  readonly #countsGenerations: boolean;
  #normalizer: Normalizer | undefined;
  #accepts: Accepts | undefined;
  #acceptsStatus: Accepts | undefined;
  #rules: { readonly validator: RuleValidator | undefined } | undefined;

  constructor(root: SchemaNode, options: CompileOptions) {
    const { compileRules, withheldDefaults: paths = [], countsGenerations = true } = options;
    this.#root = root;
    this.#countsGenerations = countsGenerations;
    this.#compileRules = compileRules;
    this.#withheld = withheldDefaults(paths);
  }

  normalize(
    object: JsonObject,
    options: NormalizeOptions & { readonly dropInvalidMetadata?: boolean } = {},
  ): void {
    const dropInvalid = options.dropInvalidMetadata === true;
    const { settled, unknownFields, onlyDefaults = false } = options;
    if (!onlyDefaults) coerceMetadata(object, { dropInvalid, unknownFields, settled });
    if (dropInvalid && this.#countsGenerations) repairGeneration(object);
    const run = new NormalizeRun({
      track: unknownFields !== undefined,
      dropInvalidMetadata: dropInvalid,
      applyDefaults: options.applyDefaults,
      onlyDefaults,
      settled,
      scalarMaps: options.scalarMaps,
    });
    const place = { root: this.#root, isRoot: true, unknown: 'prune', withheld: this.#withheld } as const;
    this.#normalizer ??= compileNormalizer(this.#root, place);
    this.#normalizer(object, run, 0);
    for (const found of [run.pruned, run.unknownMetadata]) {
      if (found !== undefined && found.length > 0) unknownFields?.push(...found.sort(compareBytes));
    }
  }

  validate(request: ValidationRequest): ValidationReport {
    const { beforeSchema = [], afterSchema = [], insteadOfSchema } = request;
    if (insteadOfSchema !== undefined) {
      return this.#runRules(request, [...insteadOfSchema, ...this.#structureErrors(request)]);
    }
    const errors = this.#isAccepted(request) ? afterSchema : this.#explain(request, afterSchema);
    return this.#runRules(request, [...beforeSchema, ...errors]);
  }

  /** Anything that `/status` leaves unchanged is tolerated and need not be checked. */
  #isAccepted({ object, old, scope }: ValidationRequest): boolean {
    if (scope === 'status' && old !== undefined && differsInStatusOnly(object, old)) {
      const status = own(object, 'status');
      const node = this.#root.properties.get('status');
      if (status === undefined || node === undefined) return true;
      this.#acceptsStatus ??= compileAccepts(node);
      return this.#acceptsStatus(status);
    }
    this.#accepts ??= compileAccepts(this.#root);
    return this.#accepts(object);
  }

  /** Finds the errors of an invalid object, in upstream's order. */
  #explain(request: ValidationRequest, afterSchema: readonly FieldError[]): FieldError[] {
    const root = this.#root;
    const { object, old, scope } = request;
    const excuse = root.gates.CRDValidationRatcheting ? old : undefined;
    const schemaErrors =
      scope === 'status' ? this.#explainStatus(object, excuse) : explainObject(root, object, excuse);
    return [...schemaErrors, ...afterSchema, ...this.#structureErrors(request)];
  }

  /** Upstream's checks besides the schema. */
  #structureErrors({ object, old, scope }: ValidationRequest): FieldError[] {
    const root = this.#root;
    const embedded = scope === 'status' ? [] : embeddedResourceErrors(root, object);
    // If the stored object has duplicates, all duplicates are tolerated.
    const tolerated = old !== undefined && listTypeErrors(root, old).length > 0;
    return [...embedded, ...(tolerated ? [] : listTypeErrors(root, object))];
  }

  /** `/status` validates only the status; paths in messages are relative to it, as upstream. */
  #explainStatus(object: JsonObject, old: JsonObject | undefined): FieldError[] {
    const node = this.#root.properties.get('status');
    const value = own(object, 'status');
    if (node === undefined || value === undefined) return [];
    const correlation =
      old === undefined ? undefined : new Correlation(node, value, own(old, 'status') ?? null);
    const findings = new Findings();
    explain({ node, value, path: '', correlation }, findings);
    return findings.toFieldErrors('status');
  }

  get comparesWithOld(): boolean {
    return this.#ruleValidator()?.comparesWithOld === true;
  }

  #ruleValidator(): RuleValidator | undefined {
    this.#rules ??= { validator: this.#compileRules?.(this.#root) };
    return this.#rules.validator;
  }

  #runRules(request: ValidationRequest, errors: FieldError[]): ValidationReport {
    const validator = this.#ruleValidator();
    if (validator === undefined) return { errors, warnings: [] };
    if (blocksRules(errors)) return { errors: [...errors, rulesNotChecked], warnings: [] };
    const { object, old } = request;
    const report = validator.validate(old === undefined ? { object } : { object, old });
    return { errors: [...errors, ...report.errors], warnings: report.warnings };
  }
}

/** Whether everything else is identical to the old object; metadata has no relevant schema. */
function differsInStatusOnly(object: JsonObject, old: JsonObject): boolean {
  const isOld = (key: string) => key === 'status' || key === 'metadata' || own(object, key) === own(old, key);
  return Object.keys(object).every(isOld);
}

const rulesNotChecked: FieldError = Object.freeze(
  invalid(
    undefined,
    undefined,
    'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
  ),
);

function explainObject(root: SchemaNode, object: JsonObject, old: JsonObject | undefined): FieldError[] {
  const correlation = old === undefined ? undefined : new Correlation(root, object, old);
  const findings = new Findings();
  explain({ node: root, value: object, path: '', correlation }, findings);
  return findings.toFieldErrors('');
}
