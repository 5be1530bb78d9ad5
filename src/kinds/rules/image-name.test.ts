import { expect, test } from 'vitest';
import { imageTag } from './image-name.ts';

const digest = `sha256:${'a'.repeat(64)}`;

test.each([
  ['nginx', 'latest'],
  ['nginx:1.25', '1.25'],
  ['example.com:5000/team/app', 'latest'],
  ['example.com:5000/team/app:v1', 'v1'],
  ['localhost/app', 'latest'],
  [`nginx@${digest}`, ''],
  [`nginx:1@${digest}`, '1'],
  ['nginx@sha256:short', ''],
  ['Bad_Value!', ''],
  ['Upper', ''],
  ['Upper/app', 'latest'],
  ['a//b', ''],
  ['nginx:', ''],
  ['a'.repeat(256), ''],
  ['a'.repeat(64), ''],
  ['', ''],
])('%s has the tag %j', (image, tag) => expect(imageTag(image)).toBe(tag));
