/** `discovery.k8s.io/v1`, in the notation of `message-table.ts`. */
export const discoveryV1 = `
discovery.Endpoint: 1 addresses!! []string, 2 conditions!! discovery.EndpointConditions,
  3 hostname! string, 4 targetRef ObjectReference, 5 deprecatedTopology {}string, 6 nodeName! string,
  7 zone! string, 8 hints discovery.EndpointHints
discovery.EndpointConditions: 1 ready! bool, 2 serving! bool, 3 terminating! bool
discovery.EndpointHints: 1 forZones []discovery.ForZone, 2 forNodes []discovery.ForNode
discovery.EndpointPort: 1 name! string, 2 protocol! string/Protocol, 3 port! int32, 4 appProtocol! string
discovery.EndpointSlice: 1 metadata!! ObjectMeta, 2 endpoints!! []discovery.Endpoint,
  3 ports!! []discovery.EndpointPort, 4 addressType!! string/AddressType
discovery.ForNode: 1 name!! string
discovery.ForZone: 1 name!! string
`;
