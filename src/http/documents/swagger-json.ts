import { type SwaggerFormat, sections, swaggerPathsText } from '../../discovery/index.ts';
import { documentBytes } from './document-bytes.ts';

const comma = Buffer.from(',');

/** Swagger 2.0 as JSON. */
export const swaggerJson: SwaggerFormat = {
  contentType: 'application/json',
  encodePaths: (type) => Buffer.from(swaggerPathsText(type)),
  encode: (_, entries) => documentBytes(entries).subarray(1, -1),
  assemble: (head, parts) => [
    documentBytes(head).subarray(0, -1),
    ...sections.flatMap((section) => [
      Buffer.from(`,"${section}":{`),
      ...parts[section]
        .filter((part) => part.length > 0)
        .flatMap((part, index) => (index === 0 ? [part] : [comma, part])),
      Buffer.from('}'),
    ]),
    Buffer.from('}'),
  ],
};
