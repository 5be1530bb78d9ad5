import { type JsonObject, type JsonValue, put, isObject, seededRandom } from '../meta/index.ts';

/** Random schemas and values for property tests, reproducible by seed. */
export class RandomSchemas {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  /** A random integer from 0 up to, excluding, a limit. */
  below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  chance(share: number): boolean {
    return this.below(1000) < share * 1000;
  }

  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.below(choices.length)] ?? choices[0];
  }

  #name(): string {
    return this.pick(['a', 'b', 'c', 'constructor', '__proto__']);
  }

  /** A random value of any type. */
  value(depth: number): JsonValue {
    const kind = depth <= 0 ? this.below(4) : this.below(7);
    if (kind === 0) return this.pick(['', 'a', 'ab', 'é☃', '2020-01-01', 'xxxxxx']);
    if (kind === 1)
      return this.pick<number | bigint>([0, 1, 2, 97, -1, 1.5, 1e20, 5.000000001, 9007199254740993n]);
    if (kind === 2) return this.chance(0.5);
    if (kind === 3) return null;
    if (kind === 4) return Array.from({ length: this.below(4) }, () => this.value(depth - 1));
    const object: JsonObject = {};
    for (let count = this.below(4); count > 0; count -= 1) put(object, this.#name(), this.value(depth - 1));
    return object;
  }

  /** A random value that mostly matches a schema. */
  fitting(schema: JsonObject, depth: number): JsonValue {
    if (this.chance(0.08)) return this.value(2);
    switch (schema['type']) {
      case 'string':
        return this.pick(['', 'a', 'ab', 'abc', '2020-01-01']);
      case 'integer':
        return this.pick([0, 1, 2, 3, 4000000000]);
      case 'number':
        return this.pick([0, 1, 1.5, 2.5]);
      case 'boolean':
        return this.chance(0.5);
      case 'array':
        return Array.from({ length: this.below(4) }, () =>
          this.fitting(asSchema(schema['items']), depth - 1),
        );
      case 'object':
        return this.#fittingObject(schema, depth);
      default:
        return this.pick<JsonValue>([1, 'a', 'ab']);
    }
  }

  #fittingObject(schema: JsonObject, depth: number): JsonObject {
    const object: JsonObject = {};
    for (const [name, property] of Object.entries(asSchema(schema['properties']))) {
      if (this.chance(0.7)) put(object, name, this.fitting(asSchema(property), depth - 1));
    }
    if (schema['additionalProperties'] !== undefined) {
      for (let count = this.below(3); count > 0; count -= 1) {
        put(object, this.#name(), this.fitting(asSchema(schema['additionalProperties']), depth - 1));
      }
    }
    if (this.chance(0.2)) put(object, this.#name(), this.value(1));
    return object;
  }

  /** A random structural schema; of a scalar at depth 0. */
  schema(depth: number, isRoot = false): JsonObject {
    const scalars = ['string', 'integer', 'number', 'boolean', 'int-or-string'] as const;
    const kind = isRoot
      ? 'object'
      : this.pick(depth <= 0 ? scalars : [...scalars, 'array', 'object', 'object', 'map', 'any']);
    const schema = this.#schemaOfKind(kind, depth);
    if (!isRoot && schema['type'] !== undefined && this.chance(0.15)) schema['nullable'] = true;
    this.#addRules(schema, depth);
    if (!isRoot && this.chance(0.15))
      schema['default'] = this.fitting({ ...schema, nullable: false }, depth) ?? 'x';
    return schema;
  }

  #schemaOfKind(kind: string, depth: number): JsonObject {
    switch (kind) {
      case 'int-or-string':
        return { 'x-kubernetes-int-or-string': true };
      case 'any':
        return { 'x-kubernetes-preserve-unknown-fields': true };
      case 'array':
        return { type: 'array', items: this.schema(depth - 1), ...this.#listType() };
      case 'map':
        return { type: 'object', additionalProperties: this.chance(0.9) ? this.schema(depth - 1) : true };
      case 'object': {
        const properties: JsonObject = {};
        for (let count = 1 + this.below(4); count > 0; count -= 1)
          put(properties, this.#name(), this.schema(depth - 1));
        const preserve = this.chance(0.1) ? { 'x-kubernetes-preserve-unknown-fields': true } : {};
        return { type: 'object', properties, ...preserve };
      }
      default:
        return { type: kind };
    }
  }

  #listType(): JsonObject {
    return this.chance(0.3) ? { 'x-kubernetes-list-type': 'set' } : {};
  }

  /** Adds validation keywords, and sometimes branches of them. */
  #addRules(schema: JsonObject, depth: number): void {
    const rules: Record<string, readonly [JsonObject, ...JsonObject[]]> = {
      string: [
        { maxLength: 2 },
        { minLength: 1 },
        { pattern: '^a' },
        { format: 'date' },
        { enum: ['a', 'ab'] },
      ],
      integer: [{ maximum: 2 }, { minimum: 1 }, { multipleOf: 2 }, { format: 'int32' }, { enum: [1, 2] }],
      number: [{ maximum: 1.5, exclusiveMaximum: true }, { minimum: 1 }, { multipleOf: 0.5 }],
      array: [{ maxItems: 2 }, { minItems: 1 }],
      object: [
        { maxProperties: 2 },
        { minProperties: 1 },
        { required: ['a'] },
        { required: ['__proto__', 'b'] },
      ],
    };
    const choices = rules[String(schema['type'])] ?? [{ enum: [1, 'a'] }];
    if (this.chance(0.4)) Object.assign(schema, this.pick(choices));
    if (depth <= 0 || !this.chance(0.15)) return;
    const keyword = this.pick(['allOf', 'anyOf', 'oneOf', 'not']);
    const branches = [this.pick(choices), this.pick(choices)];
    schema[keyword] = keyword === 'not' ? this.pick(choices) : branches;
  }
}

function asSchema(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}
