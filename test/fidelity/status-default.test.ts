import { expect, test } from 'vitest';
import { widget, widgetCrd, widgetServer, widgets } from './widget-server.ts';

const status = {
  type: 'object',
  default: { observedGeneration: -1 },
  properties: { observedGeneration: { type: 'integer' } },
};
const send = widgetServer(widgetCrd({ status }, { status: {} }));

test('a new object has the default of its status, whatever status was sent', async () => {
  const created = await send('POST', widgets, widget('a', { status: { observedGeneration: 7 } }));
  expect(created.body.status).toEqual({ observedGeneration: -1 });
  const { body } = await send('GET', `${widgets}/a`);
  expect(body.status).toEqual({ observedGeneration: -1 });
  const dry = await send('POST', `${widgets}?dryRun=All`, widget('b'));
  expect(dry.body.status).toEqual({ observedGeneration: -1 });
});
