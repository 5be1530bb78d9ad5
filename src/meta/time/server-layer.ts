/** Parts of the server in which a request spends time, as upstream names them in audit annotations. */
export type ServerLayer =
  | 'authentication'
  | 'impersonation'
  | 'authorization'
  | 'apf-queue-wait'
  | 'mutating-webhook'
  | 'validating-webhook'
  | 'etcd';

/** Told how long a part of the server took for a request. */
export type TrackLayer = (layer: ServerLayer, ms: number) => void;
