export * from './compiled-schema.ts';
