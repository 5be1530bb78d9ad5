/** The prefix of all keys of a server, as in kube-apiserver. */
export const storageRoot = '/registry';
