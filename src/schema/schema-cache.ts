import { createHash } from 'node:crypto';
import { goJson, type JsonObject } from '../meta/index.ts';
import { type CompileOptions, compileSchema } from './compile-schema.ts';
import type { CompiledSchema } from './compiled-schema.ts';
import { type FieldSteps, pathsWithDefaults } from './withheld-defaults.ts';

/**
 * Compiles equal schemas once: the versions of a resource often share theirs, and a status change of a
 * CustomResourceDefinition does not change it. Unused schemas are released.
 */
export class SchemaCache {
  readonly #options: CompileOptions;
  readonly #compiled = new Map<string, WeakRef<CompiledSchema>>();
  readonly #released = new FinalizationRegistry<string>((key) => this.#forget(key));

  constructor(options: CompileOptions) {
    this.#options = options;
  }

  /**
   * The compiled schema, cached or new. Withheld defaults make it a different one.
   *
   * @param withheld fields whose defaults are not applied; those without defaults are ignored
   */
  get(openAPIV3Schema: JsonObject, withheld: readonly FieldSteps[] = []): CompiledSchema {
    const withheldDefaults = pathsWithDefaults(openAPIV3Schema, withheld);
    const key = keyOf(openAPIV3Schema, withheldDefaults);
    const known = this.#compiled.get(key)?.deref();
    if (known !== undefined) return known;
    const compiled = compileSchema(openAPIV3Schema, { ...this.#options, withheldDefaults });
    this.#compiled.set(key, new WeakRef(compiled));
    this.#released.register(compiled, key);
    return compiled;
  }

  #forget(key: string): void {
    if (this.#compiled.get(key)?.deref() === undefined) this.#compiled.delete(key);
  }
}

/** The JSON text of the schema; equal schemas nearly always have the same, because one decoder creates them. */
function textOf(schema: JsonObject): string {
  let isExact = true;
  const text = JSON.stringify(schema, (_, value) => {
    if (typeof value !== 'bigint' && !Object.is(value, -0)) return value;
    isExact = false;
    return null;
  });
  return isExact ? text : goJson(schema);
}

function keyOf(openAPIV3Schema: JsonObject, withheld: readonly FieldSteps[]): string {
  const hash = createHash('sha256').update(textOf(openAPIV3Schema));
  return (withheld.length === 0 ? hash : hash.update(JSON.stringify(withheld))).digest('base64');
}
