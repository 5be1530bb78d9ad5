export * from './resource-type.ts';
