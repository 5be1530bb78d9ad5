/**
 * All limits of requests and objects. Values are upstream's where upstream has one. `docs/reference/limits.md` lists
 * them; a test compares the two.
 */
export const limits = Object.freeze({
  /** Larger request bodies are refused with 413. */
  requestBodyBytesMax: 3 * 1024 * 1024,
  /** Path, query and headers of a request together. Selectors and continue tokens can be long. */
  requestHeadBytesMax: 1024 * 1024,
  /** Header lines of one request. Node would ignore further ones, and with them who the request is from. */
  requestHeadersMax: 2_000,
  /** Parameters of one query, as Go's `urlmaxqueryparams`. */
  queryParametersMax: 10_000,
  /** Deeper JSON or YAML is refused. Upstream's parser goes to 10,000, too deep for the recursive functions here. */
  nestingDepthMax: 1_000,
  /** Characters that the YAML parser reads again because lines of flow collections are indented too little. */
  yamlReparseCharsMax: 16 * 1024 * 1024,
  /** A YAML document with as many characters is parsed in a thread of its own, as the parser cannot pause. */
  yamlThreadFromChars: 512 * 1024,
  /** The heap of that thread. */
  yamlThreadMemoryMiBMax: 512,
  /** The thread ends after this time without a document. */
  yamlThreadIdleMs: 60_000,
  /** Operations in one JSON patch. */
  jsonPatchOperationsMax: 10_000,
  /**
   * Items of long lists that one JSON patch moves. Operations that alternately change and read such a list move all
   * of it.
   */
  jsonPatchItemsMax: 10_000_000,
  /**
   * The size of one stored object in bytes, including managed fields: etcd's limit for a request (1.5 MiB), minus
   * room for the keys and conditions of the transaction.
   */
  storedObjectBytesMax: 1536 * 1024 - 4 * 1024,
  /** The memory pages that an HTTP/2 connection gets before a client authenticates on it. */
  pagesPerConnectionMax: 200,
  /** How long a session of the console lasts. */
  consoleSessionMs: 12 * 60 * 60 * 1000,
  /** Console sessions of all users; further sign-ins are refused. */
  consoleSessionsMax: 1_000,
  /** Console sessions of one user; a new one ends the oldest. */
  consoleSessionsPerUserMax: 20,
  /** How long a link to the console is valid. */
  consoleCodeMs: 10 * 60 * 1000,
  /** Unused links to the console; a new one invalidates the oldest. */
  consoleCodesMax: 100,
  /** Reports about definitions that are made at the same time. */
  definitionReportsMax: 4,
  /** Objects that the preview of a gate names. */
  gatePreviewObjectsMax: 100,
  /** How long work may run in one turn of the event loop before it pauses and lets other requests run. */
  sliceMs: 10,
  /** The same while other requests arrive. */
  busySliceMs: 2,
  /** The memory for the rows of recently returned tables. */
  tableRowsBytesMax: 32 * 1024 * 1024,
  /** Writes with larger objects or bodies pause between their steps. */
  pauseFromBytes: 64 * 1024,
  /** Attempts at a free name for `generateName`. */
  generateNameAttemptsMax: 8,
  /** Attempts of an update without resourceVersion against concurrent writers. */
  updateAttemptsMax: 64,
  /** Lost attempts after which the update locks the key. */
  updateLossesMax: 8,
  /**
   * How long the validation rules of one object may run; upstream uses the request's deadline. CEL costs do not cover
   * everything.
   */
  ruleTimeMsMax: 5_000,
  /** Strict decoding errors that are reported for one body. */
  strictErrorsMax: 100,
  /** Responses above this size are compressed for clients that accept it. */
  compressFromBytes: 128 * 1024,
  /** How long a list waits until the live view has reached the requested resourceVersion. */
  freshnessWaitMsMax: 3_000,
  /** The same while the view reads a resource for the first time: 100,000 objects take seconds on a busy server. */
  viewLoadMsMax: 30_000,
  /**
   * With a storage whose watches may lose the last change: lists of more objects are answered from the live view if it has
   * reached the storage's revision within {@link storedListDelayMsMax}.
   */
  storedListObjectsMax: 500,
  /** How long such a list waits for the live view before it reads all objects from the storage. */
  storedListDelayMsMax: 1_000,
  /** How long a write waits for the quota lock of its namespace. */
  quotaWaitMsMax: 10_000,
  /** How long requests that started before their CRD was deleted are still answered. */
  retiredResourceMs: 60_000,
  /** How long discovery, and reads with a resourceVersion, wait for the latest CRDs before they use the cached ones. */
  catalogWaitMsMax: 250,
  /** How long the event window keeps events, for watches that resume. */
  watchWindowMs: 75_000,
  /** How many events the event window keeps. */
  watchWindowEventsMax: 102_400,
  /** Events queued for one watcher before it reads from the event window instead. */
  watchQueueEventsMax: 1_000,
  /** Label keys that are indexed for one resource. */
  labelIndexesMax: 16,
  /** Conditions in one selector, each of which may be evaluated for each object. A set of values is one condition. */
  selectorConditionsMax: 256,
  /** Larger OpenAPI documents are refused at start; upstream's own has 5 MiB. */
  openApiDocumentBytesMax: 64 * 1024 * 1024,
  /** How much a command reads from one URL, Git repository or cluster. */
  sourceBytesMax: 256 * 1024 * 1024,
  /** Schema nodes of one kind in an OpenAPI document, including the schemas it refers to; a CronJob has about 3,000. */
  openApiSchemaNodesMax: 100_000,
  /** Characters in a `filter` expression. */
  filterCharsMax: 10_000,
  /** The cost of one evaluation of a filter, in CEL cost units. */
  filterCallCostMax: 10_000,
  /** The cost of a list with a filter: its evaluations, plus 100 per object examined. */
  filterCostMax: 10_000_000,
  /** How long the filter evaluations of one list, or of one watch event, may take in total. */
  filterTimeMsMax: 5_000,
  /** The interval of bookmarks on a quiet watch. */
  bookmarkIntervalMs: 60_000,
  /** A watch without `timeoutSeconds` ends after one to two times this. */
  watchTimeoutMsMin: 1_800_000,
  /** A watch ends within this time after its user lost the permission. */
  watchRightsMsMax: 1_000,
  /** The age at which a signing key of service accounts is replaced. */
  signingKeyAgeMsMax: 90 * 24 * 60 * 60 * 1000,
  /** How long a new signing key is published before it is used: clients cache the list of keys for an hour. */
  signingKeyPublishedMs: 60 * 60 * 1000,
  /** How long changes of the signing key files may go unnoticed. */
  signingKeysAgeMsMax: 1_000,
  /** How long the service account of a token is assumed to exist if its deletion cannot be observed. */
  accountLookupAgeMsMax: 1_000,
  /** How long a verified OIDC token is accepted without another check. */
  verifiedTokenAgeMsMax: 10_000,
  /** The retry interval for an issuer that does not answer. */
  issuerRetryMs: 10_000,
  issuerTimeoutMs: 10_000,
  issuerDocumentBytesMax: 1024 * 1024,
  /** The minimum age of an issuer's keys before a token with an unknown key makes them be read again. */
  issuerKeysCooldownMs: 10_000,
  /** An issuer's keys are read again at this age. */
  issuerKeysAgeMsMax: 600_000,
  /** Larger answers of a webhook for tokens, access or audit are refused. */
  reviewResponseBytesMax: 1024 * 1024,
  /** The timeout of a webhook for tokens or access. */
  reviewTimeoutMs: 30_000,
  /** The interval at which configuration files and certificates are checked for changes. */
  configPollMs: 1_000,
  /** Cached tokens with a verified signature. */
  knownTokensMax: 10_000,
  /** How long a certificate may still be accepted after `ilk user remove`. */
  revocationsAgeMsMax: 50,
  /** Applies known to change nothing, cached for each object. */
  idleAppliesMax: 8,
  /** The total size of recently written large objects that are kept decoded, in stored bytes. */
  recentObjectsBytesMax: 4 * 1024 * 1024,
  /** The total size of all annotations of one object. */
  annotationsBytesMax: 256 * 1024,
  /** Read requests in flight. */
  inFlightReadMax: 400,
  /** Write requests in flight. */
  inFlightWriteMax: 200,
  /** How long a request waits in a queue of priority and fairness; upstream uses a quarter of its deadline. */
  queueWaitMsMax: 15_000,
  /** The interval at which priority levels rebalance borrowed seats. */
  seatAdjustmentMs: 10_000,
  /** The interval at which the mandatory objects of priority and fairness are restored. */
  flowObjectsMs: 60_000,
  /** Older revisions are compacted; continue tokens and watches that start there expire. */
  compactionIntervalMs: 300_000,
  /** Active rules of fault injection. */
  faultRulesMax: 1_000,
  /** Slow requests kept for `/ilk/v1/server/slow-requests`. */
  recentSlowRequestsMax: 200,
  /** Audit events kept for `/ilk/v1/server/audit-events`. */
  recentAuditEventsMax: 500,
  /** Characters of all kept slow requests, and of all kept audit events. */
  recentTextCharsMax: 2 * 1024 * 1024,
  /** Playground cases in progress. */
  playgroundCasesMax: 2,
  /** A playground case that takes longer is stopped. */
  playgroundCaseMsMax: 10_000,
  /** The heap of the thread that runs playground cases. */
  playgroundMemoryMiBMax: 512,
  /** The thread that runs playground cases ends after this time without a case. */
  playgroundIdleMs: 60_000,
  /** The size of the body of a playground case, in bytes. */
  playgroundCaseBytesMax: 1024 * 1024,
  /** Evaluations listed for one expression of a playground case. */
  playgroundEvaluationsMax: 20,
  /** Parts of expressions in all traces of a playground case. */
  playgroundTraceNodesMax: 4_000,
  /** Characters of one value in a playground result. */
  playgroundValueCharsMax: 1_000,
  /** The timeout of a conversion webhook. */
  conversionTimeoutMs: 30_000,
  /** Objects in one request to a conversion webhook. */
  conversionReviewObjectsMax: 500,
  /** Stored bytes of the objects in one request to a conversion webhook; a larger object is sent alone. */
  conversionReviewBytesMax: 8 * 1024 * 1024,
  /** Larger answers of a conversion webhook are refused. */
  webhookResponseBytesMax: 64 * 1024 * 1024,
  /** The total cost of the match conditions of one webhook or policy; upstream's value. */
  matchConditionsCostMax: 2_500_000,
  /** The total cost of the expressions of one policy for one write; upstream's value. */
  policyCostMax: 10_000_000,
  /** Larger answers to an AdmissionReview are refused. */
  admissionResponseBytesMax: 16 * 1024 * 1024,
  /** Connections to one webhook; further calls wait. */
  webhookConnectionsMax: 16,
  /**
   * The age at which the lease of a server that has gone is taken over; servers that share a storage hold leases on
   * service addresses.
   */
  claimMsMax: 30_000,
  /** Open connections; fewer if the system allows the process fewer open files. */
  connectionsMax: 20_000,
  /** Open connections of one client address. */
  connectionsPerAddressMax: 15_000,
  /** Connections waiting to be accepted; systems may allow fewer. */
  listenBacklogMax: 4_096,
  /** The timeout of a TLS handshake. */
  handshakeMsMax: 20_000,
  /** How long a connection may stay open without an authenticated client and without a request in flight. */
  authenticationMsMax: 30_000,
  /** How long an idle connection is kept alive; upstream's value. */
  connectionIdleMsMax: 90_000,
  /** An HTTP/2 client that has sent nothing for this long while requests are in flight is pinged. */
  pingAfterMs: 30_000,
  /** The timeout of a ping's answer. */
  pongMsMax: 15_000,
  /** How long a TCP connection is idle before keep-alive probes are sent. */
  tcpKeepAliveMs: 15_000,
  /** Open HTTP/2 streams on one connection, upstream's `--http2-max-streams-per-connection`. */
  streamsPerConnectionMax: 1_000,
  /** HTTP/2 streams of one connection that the client may reset in a burst before they are answered. */
  streamResetBurstMax: 1_000,
  /** Stream resets per second by which that allowance refills. */
  streamResetsPerSecondMax: 100,
  /** The memory that Node may use for one HTTP/2 session; data waiting to be sent is limited per stream. */
  sessionBytesMax: 4_000_000_000,
  /** How long the body of a request may take to arrive. */
  bodyReadMsMax: 60_000,
  /** Open watches over the network. */
  watchesMax: 50_000,
  /** Open watches of one user. */
  watchesPerUserMax: 20_000,
  /** The memory of all response bodies until their clients have read them. */
  answerBufferBytesMax: 256 * 1024 * 1024,
  /** A response in an audit event; a larger one is left out. */
  auditObjectBytesMax: 10 * 1024 * 1024,
  /** Audit events that wait in batch mode. */
  auditBufferBytesMax: 128 * 1024 * 1024,
  /** Larger lists are encoded while the client reads them. */
  madeListBytesMax: 1024 * 1024,
  /** Response bodies are made and sent in pieces of this size; the next one when the client has taken the last. */
  sendPieceBytesMax: 128 * 1024,
  /** How long a client may take to read one such piece. */
  sendStallMsMax: 60_000,
  /** Issuers of tokens that hold distributed claims, for each issuer of users. */
  claimIssuersMax: 20,
  /** How often a KMS plugin is asked for its key. */
  kmsPollMs: 60_000,
  /** How often one is asked that does not answer or is not well. */
  kmsRetryMs: 10_000,
  /** How long after a connection to a plugin failed the next one is tried. */
  kmsReconnectMs: 500,
  /** How long values are written with a data key after its plugin was well last. */
  kmsWriteKeyMs: 3 * 60_000,
  /** How long a plugin that was well counts as well without being asked. */
  kmsHealthyMs: 20_000,
  /** How long one that was not counts so. */
  kmsUnhealthyMs: 3_000,
  /** Data keys of one plugin that are kept decrypted. */
  kmsDataKeysMax: 10_000,
  /** The identifier of a plugin's key. */
  kmsKeyIdBytesMax: 1_024,
  /** A data key as a plugin encrypted it. */
  kmsKeySourceBytesMax: 1_024,
  /** What a plugin may want to have back with a data key. */
  kmsAnnotationBytesMax: 32 * 1024,
  /** Calls to another thread of the server that have no answer yet; further ones fail. */
  threadCallsMax: 100_000,
  /** How long another thread may take to tell its metrics. */
  threadAnswerMsMax: 5_000,
  /** A thread that has not run for so long makes probes fail. */
  threadSilentMsMax: 10_000,
  /** How long another thread may take to close. */
  threadCloseMsMax: 10_000,
  /** How long responses in flight may take when the server closes. */
  drainMsMax: 2_000,
});
