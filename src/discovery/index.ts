export { aggregatedDocument } from './aggregated-document.ts';
export { type ApiGroups, apiGroups } from './api-groups.ts';
export {
  apiGroupDocument,
  apiGroupListDocument,
  apiResourceListDocument,
  apiVersionsDocument,
} from './legacy-documents.ts';
export { type Section, type SwaggerFormat, sections } from './openapi/swagger-format.ts';
export { swaggerProtobuf } from './openapi/swagger-protobuf.ts';
export {
  type SwaggerPart,
  serverPart,
  sharedPiecesPart,
  swaggerDefinitions,
  swaggerHead,
  swaggerPathsText,
} from './openapi/v2-document.ts';
export { swaggerParameters } from './openapi/shared-parameters.ts';
export { openApiV3DocumentInSteps, serverDocuments } from './openapi/v3-document.ts';
