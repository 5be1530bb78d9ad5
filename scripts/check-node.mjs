// Imported first by what people start: says what is wrong in one line, instead of a stack of something inside.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`Ilk needs Node 20.19 or later; this is ${process.version}\n`);
  process.exit(1);
}
