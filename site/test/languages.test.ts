import { spawnSync } from 'node:child_process';
import { describe } from 'vitest';
import { followPage } from './story.ts';

/** The pages about other languages, where their toolchains are. They install packages, from the registries of the languages. */

const has = (tool: string, ...args: string[]) => spawnSync(tool, args, { stdio: 'ignore' }).status === 0;
const home = process.env['HOME'] ?? '';

describe.skipIf(!has('python3', '-c', 'import venv, ensurepip'))('with Python', () => {
  followPage('tasks/test-in-python.md', { variables: { HOME: home } });
});

describe.skipIf(!has('mvn', '--version'))('with Maven', () => {
  followPage('tasks/test-in-java.md', { variables: { HOME: home } });
});

describe.skipIf(!has('cargo', '--version'))('with Cargo', () => {
  followPage('tasks/test-in-rust.md', {
    variables: { HOME: home, CARGO_TARGET_DIR: process.env['CARGO_TARGET_DIR'] ?? '/tmp/ilk-rust-example' },
  });
});
