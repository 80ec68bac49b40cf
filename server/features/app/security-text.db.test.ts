import { expect, test } from 'vitest';
import { openTestApp } from '../../testing/test-app.ts';

const url = '/.well-known/security.txt';

test('the file is served as plain text if a contact is set, and does not exist otherwise', async () => {
  const named = await openTestApp({ env: { SECURITY_CONTACT: 'security@example.com' } });
  const { statusCode, headers, body } = await named.http.inject({ url });
  expect(statusCode).toBe(200);
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(body).toMatch(/^Contact: mailto:security@example\.com\nExpires: \d{4}-\d\d-\d\dT23:59:59Z\n/);
  await named.close();
  const nameless = await openTestApp();
  expect((await nameless.http.inject({ url })).statusCode).toBe(404);
  await nameless.close();
});
