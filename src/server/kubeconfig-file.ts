import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const fileName = 'kubeconfig';

/** A kubeconfig in a temporary folder, written on first use. */
export class KubeconfigFile {
  readonly #text: string;
  #folder: string | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  get path(): string {
    this.#folder ??= this.#write();
    return join(this.#folder, fileName);
  }

  remove(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = undefined;
  }

  #write(): string {
    const folder = mkdtempSync(join(tmpdir(), 'ilk-'));
    writeFileSync(join(folder, fileName), this.#text, { mode: 0o600 });
    return folder;
  }
}
