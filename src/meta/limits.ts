/**
 * Every bound that a request or an object can meet. Values are upstream's where upstream has one.
 * `docs/reference/limits.md` lists them; a test holds the two together.
 */
export const limits = Object.freeze({
  /** Larger request bodies are refused with 413. */
  requestBodyBytesMax: 3 * 1024 * 1024,
  /** Path, query and headers of a request together: selectors and continue tokens can be long. */
  requestHeadBytesMax: 1024 * 1024,
  /** Deeper JSON or YAML is refused; upstream's parser goes to 10,000, which no recursive walk here could follow. */
  nestingDepthMax: 1_000,
  /** Characters that the YAML parser reads again because of lines of flow collections that are indented too little. */
  yamlReparseCharsMax: 16 * 1024 * 1024,
  /** Operations in one JSON patch. */
  jsonPatchOperationsMax: 10_000,
  /** Items of long lists that one JSON patch moves, by operations that change such a list and read it whole in turns. */
  jsonPatchItemsMax: 10_000_000,
  /**
   * Bytes of one object as it is stored, its managed fields included: etcd's limit for a request (1.5 MiB), with room for
   * the keys and conditions of the transaction.
   */
  storedObjectBytesMax: 1536 * 1024 - 4 * 1024,
  /** Pages that an HTTP/2 connection gets before somebody authenticates on it. */
  pagesPerConnectionMax: 200,
  /** How long a session of the console lasts. */
  consoleSessionMs: 12 * 60 * 60 * 1000,
  /** Sessions of all users of the console; a sign-in beyond is refused. */
  consoleSessionsMax: 1_000,
  /** Sessions of one user; the oldest one ends for a new one. */
  consoleSessionsPerUserMax: 20,
  /** How long a link to the console can be used. */
  consoleCodeMs: 10 * 60 * 1000,
  /** Links that wait to be used; the oldest one counts no longer when there is one more. */
  consoleCodesMax: 100,
  /** So long one turn of the event loop works before long work pauses and lets other requests run. */
  sliceMs: 20,
  /** So much memory keeps the rows of tables that were answered last. */
  tableRowsBytesMax: 32 * 1024 * 1024,
  /** Writes of larger objects, or by larger bodies, pause between their steps. */
  pauseFromBytes: 64 * 1024,
  /** Attempts at a free name for `generateName`. */
  generateNameAttemptsMax: 8,
  /** Attempts of an update that carries no resourceVersion against concurrent writers. */
  updateAttemptsMax: 64,
  /** Of these, so many are lost before the others have to wait. */
  updateLossesMax: 8,
  /** How long the rules of one object may run; upstream has the time of the request. Costs do not count everything. */
  ruleTimeMsMax: 5_000,
  /** Strict decoding errors that are reported for one body. */
  strictErrorsMax: 100,
  /** Responses above this size are compressed for clients that accept it. */
  compressFromBytes: 128 * 1024,
  /** How long a list waits until the live view has reached the resourceVersion it asks for. */
  freshnessWaitMsMax: 3_000,
  /** How long a write waits for its share of the quotas of its namespace. */
  quotaWaitMsMax: 10_000,
  /** How long requests that found a resource before its CRD went are still answered. */
  retiredResourceMs: 60_000,
  /** How long discovery, and reads that name a resourceVersion, wait for the latest CRDs before they use those at hand. */
  catalogWaitMsMax: 250,
  /** How long the live view keeps events for watches that resume. */
  watchWindowMs: 75_000,
  /** How many events the live view keeps at the most. */
  watchWindowEventsMax: 102_400,
  /** Events queued for one watcher before it is served from the window instead. */
  watchQueueEventsMax: 1_000,
  /** Label keys that one resource keeps an index for. */
  labelIndexesMax: 16,
  /** Conditions in one selector, each of which may be asked of each object. Their values are looked up at once. */
  selectorConditionsMax: 256,
  /** Larger files with an OpenAPI document are refused at start; upstream's own has 5 MiB. */
  openApiDocumentBytesMax: 64 * 1024 * 1024,
  /** What a command reads of one URL, Git or cluster. */
  sourceBytesMax: 256 * 1024 * 1024,
  /** Nodes of the schema of one kind in an OpenAPI document, with all that it refers to; a CronJob has some 3,000. */
  openApiSchemaNodesMax: 100_000,
  /** Characters in a `filter` expression. */
  filterCharsMax: 10_000,
  /** What one evaluation of a filter may cost, in CEL's units. */
  filterCallCostMax: 10_000,
  /** What a list by a filter may cost: its evaluations, and 100 for each object that is looked at. */
  filterCostMax: 10_000_000,
  /** How long the evaluations of a filter may take together for a list, or for one event of a watch. */
  filterTimeMsMax: 5_000,
  /** How often a quiet watch gets a bookmark. */
  bookmarkIntervalMs: 60_000,
  /** A watch without `timeoutSeconds` ends between this and twice this. */
  watchTimeoutMsMin: 1_800_000,
  /** A watch whose user loses the right to it ends within this time. */
  watchRightsMsMax: 1_000,
  /** How old a signing key of service accounts gets before a new one is made. */
  signingKeyAgeMsMax: 90 * 24 * 60 * 60 * 1000,
  /** How long a new signing key is published before it signs: others keep the list of keys for an hour. */
  signingKeyPublishedMs: 60 * 60 * 1000,
  /** How long files of signing keys that came or went are not noticed. */
  signingKeysAgeMsMax: 1_000,
  /** How long the service account of a token is taken to live on, where no deletion is heard of. */
  accountLookupAgeMsMax: 1_000,
  /** How long a token of OIDC that was verified is believed without another look. */
  verifiedTokenAgeMsMax: 10_000,
  /** How often an issuer is looked for that does not answer. */
  issuerRetryMs: 10_000,
  issuerTimeoutMs: 10_000,
  issuerDocumentBytesMax: 1024 * 1024,
  /** How long after its keys were read a token with a key that is not known does not make them be read again. */
  issuerKeysCooldownMs: 10_000,
  /** Keys of issuers are read again after this time. */
  issuerKeysAgeMsMax: 600_000,
  /** A larger answer of a webhook for tokens, access or audit is refused. */
  reviewResponseBytesMax: 1024 * 1024,
  /** How long a webhook may take for tokens or access. */
  reviewTimeoutMs: 30_000,
  /** How often configuration files and certificates are looked at for changes. */
  configPollMs: 1_000,
  /** Tokens whose signatures are known to be good. */
  knownTokensMax: 10_000,
  /** How long after `ilk user remove` a certificate may still count. */
  revocationsAgeMsMax: 50,
  /** Applies that are known to change nothing, remembered for each object. */
  idleAppliesMax: 8,
  /** Large objects that were written last are kept decoded, up to so many bytes of theirs. */
  recentObjectsBytesMax: 4 * 1024 * 1024,
  /** Total size of all annotations of one object. */
  annotationsBytesMax: 256 * 1024,
  /** Requests that read and are under way at once. */
  inFlightReadMax: 400,
  /** Requests that write and are under way at once. */
  inFlightWriteMax: 200,
  /** How long a request waits in a queue of priority and fairness; upstream has a quarter of its deadline. */
  queueWaitMsMax: 15_000,
  /** How often priority levels lend each other seats. */
  seatAdjustmentMs: 10_000,
  /** How often the objects of priority and fairness that every server has are put right. */
  flowObjectsMs: 60_000,
  /** Revisions older than this are forgotten, and with them continue tokens and watches that start there. */
  compactionIntervalMs: 300_000,
  /** Rules of fault injection that are in force at once. */
  faultRulesMax: 1_000,
  /** A webhook that takes longer to convert has failed. */
  conversionTimeoutMs: 30_000,
  /** Objects that are sent to a conversion webhook at once. */
  conversionReviewObjectsMax: 500,
  /** Stored bytes of the objects that are sent to a conversion webhook at once; one larger object goes alone. */
  conversionReviewBytesMax: 8 * 1024 * 1024,
  /** A webhook whose answer is larger has failed. */
  webhookResponseBytesMax: 64 * 1024 * 1024,
  /** What the match conditions of one webhook or policy may cost together; upstream's value. */
  matchConditionsCostMax: 2_500_000,
  /** What the expressions of one policy may cost for one write; upstream's value. */
  policyCostMax: 10_000_000,
  /** A webhook whose answer to an AdmissionReview is larger has failed. */
  admissionResponseBytesMax: 16 * 1024 * 1024,
  /** Connections to one webhook; calls beyond them wait. */
  webhookConnectionsMax: 16,
  /** A claim of a server that has gone is taken over after so long; several servers on one storage claim the addresses of services. */
  claimMsMax: 30_000,
  /** Connections that are open at once; fewer where the system allows the process fewer open files. */
  connectionsMax: 20_000,
  /** Connections of one client address that are open at once. */
  connectionsPerAddressMax: 15_000,
  /** Connections that wait to be accepted; systems may allow fewer. */
  listenBacklogMax: 4_096,
  /** How long a TLS handshake may take. */
  handshakeMsMax: 20_000,
  /** How long a connection may be open on which nobody has authenticated and no request is under way. */
  authenticationMsMax: 30_000,
  /** How long a connection is kept for the next request, as upstream. */
  connectionIdleMsMax: 90_000,
  /** A client that has sent nothing for so long over HTTP/2 while requests are under way is pinged. */
  pingAfterMs: 30_000,
  /** How long the client may take to answer a ping. */
  pongMsMax: 15_000,
  /** How long a TCP connection is quiet before the system asks whether the other end is still there. */
  tcpKeepAliveMs: 15_000,
  /** HTTP/2 streams that are open at once on one connection, upstream's `--http2-max-streams-per-connection`. */
  streamsPerConnectionMax: 1_000,
  /** HTTP/2 streams of one connection that the client may reset in one go before they are answered. */
  streamResetBurstMax: 1_000,
  /** Resets per second that are given back to a connection. */
  streamResetsPerSecondMax: 100,
  /** What Node may hold for one HTTP/2 session; what waits to be sent is bounded for each stream. */
  sessionBytesMax: 4_000_000_000,
  /** How long a body may take to arrive. */
  bodyReadMsMax: 60_000,
  /** Watches that are open at once over the network. */
  watchesMax: 50_000,
  /** Those of one user. */
  watchesPerUserMax: 20_000,
  /** What answers may hold together until their clients have read them. */
  answerBufferBytesMax: 256 * 1024 * 1024,
  /** Larger lists are encoded as the client reads them. */
  madeListBytesMax: 1024 * 1024,
  /** Bodies of answers are made and sent in pieces of this size, the next one when the client has taken the last. */
  sendPieceBytesMax: 128 * 1024,
  /** How long a client may take to read one such piece. */
  sendStallMsMax: 60_000,
  /** How long answers that are under way may take once the server closes. */
  drainMsMax: 2_000,
});
