/** Names of types: unique in a module, made of the steps that lead to them. */
export class TypeNames {
  readonly #taken = new Set<string>();

  constructor(reserved: Iterable<string> = []) {
    for (const name of reserved) this.#taken.add(name);
  }

  /** `['Widget', 'spec', 'listen-ports']` gives `WidgetSpecListenPorts`, or the same with a number where that is taken. */
  take(steps: readonly string[]): string {
    const wanted = steps.map(pascal).join('') || 'Type';
    const first = /^[A-Za-z_$]/.test(wanted) ? wanted : `_${wanted}`;
    let name = first;
    for (let count = 2; this.#taken.has(name); count += 1) name = `${first}${count}`;
    this.#taken.add(name);
    return name;
  }
}

function pascal(step: string): string {
  const words = step.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
