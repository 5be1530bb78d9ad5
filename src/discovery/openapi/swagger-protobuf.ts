import { encodeContent, frameOf } from './message-writer.ts';
import { swaggerPaths } from './v2-document.ts';
import { sections, type SwaggerFormat } from './swagger-format.ts';
import { definitions, head, parameters, paths, sectionFields } from './swagger-messages.ts';

const contents = { paths, definitions, parameters };

/** Swagger 2.0 in gnostic's protobuf encoding, which Go clients request. */
export const swaggerProtobuf: SwaggerFormat = {
  contentType: 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
  encodePaths: (type) => encodeContent(paths, swaggerPaths(type)),
  encode: (section, entries) => encodeContent(contents[section], entries),
  assemble: (start, parts) => [
    encodeContent(head, start),
    ...sections.flatMap((section) => {
      const length = parts[section].reduce((sum, part) => sum + part.length, 0);
      return [frameOf(sectionFields[section], length), ...parts[section]];
    }),
  ],
};
