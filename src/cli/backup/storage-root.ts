/** What every key of a server begins with, as a kube-apiserver has it. */
export const storageRoot = '/registry';
