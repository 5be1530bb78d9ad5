// Loads the bundle beside it, with the code that V8 has compiled in an earlier process: this takes about a tenth of a second off a start.
// Node 22 has a compile cache, but not for libraries, Node 20 none at all. The cache is in the folder of the package: who may
// write there may change the code itself. If it is read-only, the bundle is compiled each time.
'use strict';
const { channel } = require('node:diagnostics_channel');
const {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} = require('node:fs');
const { createRequire } = require('node:module');
const { join } = require('node:path');
const { cachedDataVersionTag } = require('node:v8');
const { runInThisContext, Script } = require('node:vm');

const file = join(__dirname, 'all.cjs');
/** Of the bundle; the build writes it here. V8 itself compares no more of the source than its length. */
const digest = 'DIGEST';
const folder = join(__dirname, '..', 'cache');
/** One for each version of Node and set of V8's flags. */
const cachesMax = 8;
const head = Buffer.from('(function (exports, require, module, __filename, __dirname) {');
const tail = Buffer.from('\n})');
/** So that the code of the first requests is among what is kept. */
const keepAfterMs = 1_000;

const entries = load();

module.exports = (name) => entries[name]();

function load() {
  // Jest and others run tests in a context of their own, and so must run what the tests load. Bun has no cache.
  const isOwnContext = runInThisContext('globalThis') !== globalThis;
  if (isOwnContext || process.versions.bun || process.env.NODE_DISABLE_COMPILE_CACHE)
    return require('./all.cjs');
  const source = readWrapped();
  return source === undefined ? require('./all.cjs') : run(source);
}

/** The bundle as the function that a module of CommonJS is, read into its place: one copy of 5 MB takes milliseconds. */
function readWrapped() {
  let opened;
  try {
    opened = openSync(file);
    const { size } = fstatSync(opened);
    const source = Buffer.allocUnsafeSlow(head.length + size + tail.length);
    head.copy(source);
    tail.copy(source, head.length + size);
    return readSync(opened, source, head.length, size, 0) === size ? source : undefined;
  } catch {
    return undefined;
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}

function run(source) {
  const kept = join(folder, `${digest}-${process.arch}-${cachedDataVersionTag()}`);
  const cachedData = readOrNothing(kept);
  // The bundle is ASCII: as Latin-1, this large a string is not copied again.
  const script = new Script(source.latin1Slice(), { filename: file, cachedData });
  const bundle = { exports: {} };
  script.runInThisContext()(bundle.exports, createRequire(file), bundle, file, __dirname);
  if (cachedData === undefined || script.cachedDataRejected) keepWhenReady(script, kept);
  return bundle.exports;
}

function readOrNothing(path) {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** Keeps what a server needed to start, shortly after that or at the end of the process. */
function keepWhenReady(script, path) {
  const ready = channel('ilk.ready');
  const onReady = () => {
    ready.unsubscribe(onReady);
    let isKept = false;
    const keepOnce = () => {
      if (!isKept) keep(script.createCachedData(), path);
      isKept = true;
    };
    setTimeout(keepOnce, keepAfterMs).unref();
    process.once('exit', keepOnce);
  };
  ready.subscribe(onReady);
}

function keep(data, path) {
  const unfinished = `${path}.${process.pid}`;
  try {
    mkdirSync(folder, { recursive: true });
    if (readdirSync(folder).length >= cachesMax) return;
    writeFileSync(unfinished, data, { flag: 'wx' });
    renameSync(unfinished, path);
  } catch {
    // A read-only package, or a full disk: the next start compiles again.
    rmSync(unfinished, { force: true });
  }
}
