export { Console } from './console.ts';
