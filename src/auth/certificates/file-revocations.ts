import { readFileSync, statSync } from 'node:fs';
import { type Clock, limits, type Timers } from '../../meta/index.ts';
import type { CertificateRevocations } from '../authentication/client-certificate.ts';
import { parseIssuedUsers } from './issued-users.ts';

interface FileRevocationsOptions {
  readonly clock: Clock;
  readonly timers: Timers;
  /** Called when the file becomes unreadable; its last content stays in effect. */
  readonly onTrouble: (error: unknown) => void;
}

/**
 * The removed users of a file that other processes change. The file is read on demand, at most once in
 * `limits.revocationsAgeMsMax`, and periodically if there are listeners.
 */
export class FileRevocations implements CertificateRevocations {
  readonly #path: string;
  readonly #options: FileRevocationsOptions;
  readonly #listeners = new Set<() => void>();
  #revoked: ReadonlySet<string> = new Set();
  #version = '';
  #seenAtMs: number;
  #endPolling: () => void = () => {};

  /** @throws {Error} if the file exists and cannot be read */
  constructor(path: string, options: FileRevocationsOptions) {
    this.#path = path;
    this.#options = options;
    this.#seenAtMs = options.clock.now();
    this.#read();
  }

  isRevoked(fingerprint: string): boolean {
    const now = this.#options.clock.now();
    if (Math.abs(now - this.#seenAtMs) >= limits.revocationsAgeMsMax) {
      this.#seenAtMs = now;
      this.#look();
    }
    return this.#revoked.has(fingerprint);
  }

  onChange(listener: () => void): () => void {
    if (this.#listeners.size === 0) {
      this.#endPolling = this.#options.timers.every(limits.watchRightsMsMax / 4, () => this.#look());
    }
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#endPolling();
    };
  }

  #look(): void {
    try {
      if (!this.#read()) return;
    } catch (error) {
      this.#options.onTrouble(error);
      return;
    }
    for (const listener of this.#listeners) listener();
  }

  /** True if the file has changed. A deleted file still revokes what it revoked before. */
  #read(): boolean {
    const stat = statSync(this.#path, { throwIfNoEntry: false, bigint: true });
    const version = stat === undefined ? '' : `${stat.ino}/${stat.mtimeNs}/${stat.size}`;
    if (stat === undefined || version === this.#version) return false;
    this.#version = version;
    const users = parseIssuedUsers(this.#path, readFileSync(this.#path, 'utf8'));
    this.#revoked = new Set(users.flatMap((user) => (user.removed === undefined ? [] : user.fingerprint)));
    return true;
  }
}
