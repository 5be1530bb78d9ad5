export { DecodeError } from './decode-error.ts';
export { kindMistake } from './kind-mistake.ts';

// JSON
export {
  type Decoded,
  decodeCanonicalJson,
  decodeCanonicalJsonInSteps,
  decodeJson,
  decodeJsonInSteps,
  decodeJsonAsWritten,
} from './json/decode-json.ts';
export { encodeJson, type SurveyedJson, surveyJsonText } from './json/encode-json.ts';
export { encodeJsonAsWritten } from './json/json-writer.ts';
export { surveyJsonInSteps } from './json/encode-in-steps.ts';
export {
  encodeBeside,
  encodeBesideInSteps,
  type JsonAnatomy,
  type JsonPart,
  type WrittenJson,
} from './json/encode-beside.ts';
export { skipString, skipValue } from './json/compact-json.ts';
export { JsonPicker } from './json/json-picker.ts';
export { encodeJsonPretty } from './json/pretty-json.ts';

// YAML
export { encodeYaml, encodeYamlInSteps } from './yaml/encode-yaml.ts';
export {
  decodeYaml,
  decodeYamlInSteps,
  decodeYamlInTurns,
  decodeYamlDocuments,
  type YamlDocument,
} from './yaml/decode-yaml.ts';
export { YamlThread } from './yaml-thread.ts';

// CBOR
export { decodeCbor } from './cbor/decode-cbor.ts';
export { encodeCbor, encodeCborEvent, selfDescribed } from './cbor/encode-cbor.ts';

// Protobuf
export { decodeProtobuf, encodeProtobuf, encodeProtobufList } from './protobuf/envelope.ts';
export { messageOf, messages } from './protobuf/kinds.ts';
export type { Field } from './protobuf/message-table.ts';
export { supportsProtobuf } from './protobuf/kinds.ts';
export { messageModels } from './protobuf/message-models.ts';
export { type FieldNotes, messageSchemas } from './protobuf/message-schema.ts';
