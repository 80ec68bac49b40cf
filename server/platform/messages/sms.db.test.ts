import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readOutbox } from '#contract/demo/endpoints.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { createSmsSender } from './sms.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ env: { DEMO: '1' } });
});
afterAll(() => app.close());

test('without a gateway a text is read in the outbox, once its transaction is committed', async () => {
  const { outbox, transact } = app.platform;
  await transact('test', (tx) =>
    outbox.text(tx, { to: '+14155550132', text: 'Your code is 123456.', secrets: ['123456'] }),
  );
  const lost = transact('test', async (tx) => {
    await outbox.text(tx, { to: '+14155550133', text: 'never', secrets: [] });
    throw new Error('rolled back');
  });
  await expect(lost).rejects.toThrow('rolled back');
  await app.deliver();
  const { letters } = await app.ok(null, readOutbox, {});
  expect(letters).toMatchObject([{ to: '+14155550132', subject: 'SMS', text: 'Your code is 123456.' }]);
});

test('a gateway gets the text as JSON; its refusal is an error, so that the text is tried again', async () => {
  const bodies: unknown[] = [];
  let status = 200;
  const gateway = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      bodies.push(JSON.parse(body));
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  const { port } = gateway.address() as AddressInfo;
  const { db, clock } = app.platform;
  const sms = createSmsSender({ SMS_URL: `http://127.0.0.1:${port}/sms` }, db, clock);
  await sms.send({ to: '+14155550132', text: '你好', secrets: ['你'] });
  // The installation alone decides what others may see.
  expect(bodies).toEqual([{ to: '+14155550132', text: '你好' }]);
  status = 503;
  await expect(sms.send({ to: '+14155550132', text: 'x', secrets: [] })).rejects.toThrow('503');
  gateway.close();
});
