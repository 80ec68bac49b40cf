import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readEnv, settingNames } from './env.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sameway-settings-'));
const secretFile = path.join(folder, 'key');
fs.writeFileSync(secretFile, 'a-secret-of-a-file\n');

const shown = (source: Record<string, string>) =>
  Object.fromEntries(readEnv(source).shown.map((setting) => [setting.name, setting]));

test('each setting is shown once, with its source', () => {
  const settings = shown({ PORT: '4000', LOG_LEVEL: '', BACKUP_KEY_FILE: secretFile, DEMO: '1' });
  expect(Object.keys(settings)).toEqual([...settingNames]);
  expect(settings['PORT']).toMatchObject({ value: '4000', source: 'environment', isSecret: false });
  expect(settings['LOG_LEVEL']).toMatchObject({ value: 'info', source: 'default' });
  expect(settings['BACKUP_KEY']).toMatchObject({ value: null, source: 'file', isSecret: true });
  expect(settings['DEMO']).toMatchObject({ value: '1', source: 'environment' });
  expect(settings['ROLES']).toMatchObject({ value: 'web,worker,matching', source: 'default' });
  expect(settings['SMS_URL']).toMatchObject({ value: null, source: 'default', isSecret: false });
});

test('an address is shown without its credentials', () => {
  const settings = shown({
    DATABASE_URL: 'postgres://user:hush@db.example.com:5432/sameway?sslkey=hush',
    SMTP_URL: 'smtps://user:hush@mail.example.com',
    REDIS_URL: 'redis://:hush@cache.example.com:6379',
    SMS_URL: 'https://sms.example.com/send?token=hush',
  });
  expect(settings['DATABASE_URL']?.value).toBe('postgres://…@db.example.com:5432/sameway?…');
  expect(settings['SMTP_URL']?.value).toBe('smtps://…@mail.example.com');
  expect(JSON.stringify(settings)).not.toContain('hush');
});

test('no secret is shown, however it is given', () => {
  const secret = 'sk_test_hush-hush-hush-hush';
  const settings = shown({
    STRIPE_SECRET_KEY: secret,
    STRIPE_WEBHOOK_SECRET: 'whsec_hush',
    STRIPE_PUBLISHABLE_KEY: 'pk_open',
    METRICS_TOKEN: 'hush-hush-hush-hush',
    MATCHING_SECRET: 'hush-hush-hush-hush',
    S3_URL: 'https://s3.example.com/bucket',
    S3_ACCESS_KEY_ID: 'hush',
    S3_SECRET_ACCESS_KEY: 'hush',
    OIDC_PROVIDERS: JSON.stringify([
      { id: 'a', name: 'A', issuer: 'https://a.example', clientId: 'c', clientSecret: 'hush' },
    ]),
  });
  expect(JSON.stringify(settings)).not.toContain('hush');
  expect(settings['STRIPE_SECRET_KEY']).toMatchObject({ isSecret: true, source: 'environment' });
  expect(settings['STRIPE_PUBLISHABLE_KEY']).toMatchObject({ value: 'pk_open' });
});
