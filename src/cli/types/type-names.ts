/** Types that generated code refers to: a module must not declare these names. */
const referredTo: readonly string[] = ['Record', 'Partial'];

/** Type names: unique in a module, made of the path to them. */
export class TypeNames {
  readonly #taken = new Set<string>(referredTo);

  constructor(reserved: Iterable<string> = []) {
    for (const name of reserved) this.#taken.add(name);
  }

  /** `['Widget', 'spec', 'listen-ports']` gives `WidgetSpecListenPorts`, with a number if that is taken. */
  take(steps: readonly string[]): string {
    const wanted = steps.map(pascal).join('') || 'Type';
    const first = /^[A-Za-z_$]/.test(wanted) ? wanted : `_${wanted}`;
    let name = first;
    for (let count = 2; this.#taken.has(name); count += 1) name = `${first}${count}`;
    this.#taken.add(name);
    return name;
  }
}

/** The type of a kind: `Widget` unchanged, `my-kind` as `MyKind`, `Record` as `RecordKind`. Always an identifier. */
export function typeOfKind(kind: string): string {
  const name = pascal(kind);
  return referredTo.includes(name) ? `${name}Kind` : name;
}

function pascal(step: string): string {
  const words = step.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
