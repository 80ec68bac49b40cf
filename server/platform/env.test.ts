import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readEnv } from './env.ts';

test.each([
  [undefined, 'state-college'],
  ['', ''],
  ['porto', 'porto'],
  ['santa-cruz,porto', 'santa-cruz,porto'],
  ['santa-cruz, porto', 'santa-cruz, porto'],
])('REGION=%j is %j', (REGION, expected) => {
  expect(readEnv({ REGION }).REGION).toBe(expected);
});

test.each(['../secrets', 'a,,b', ',', 'a b', 'Porto'])('REGION=%j is refused, and named', (REGION) => {
  expect(() => readEnv({ REGION })).toThrow(/REGION/);
});

test('any other empty variable is as if it were not there', () => {
  expect(readEnv({ PORT: '', LOG_LEVEL: '' })).toMatchObject({ PORT: 3020, LOG_LEVEL: 'info' });
});

test.each([
  ['DATABASE_URL', 'hello', 'postgres://'],
  ['DATABASE_URL', 'https://localhost/sameway', 'postgres://'],
  ['TILES_URL', 'notaurl', 'https://tiles.example.com/style.json'],
  ['PUBLIC_URL', 'notaurl', 'https://ride.example.com'],
  ['PUBLIC_URL', 'ftp://ride.example.com', 'https://ride.example.com'],
  ['PUBLIC_URL', 'https://example.com/rides', 'at its root'],
  ['SMTP_URL', 'mail.example.com', 'smtp://'],
  ['SMS_URL', 'gateway', 'https://'],
])('%s=%s is refused in one sentence that shows what is expected', (name, value, expected) => {
  const refused = () => readEnv({ [name]: value });
  expect(refused).toThrow(new RegExp(`^The configuration is wrong\\. ${name}: [^\n]*$`));
  expect(refused).toThrow(expected);
});

test.each([
  ['postgres://user:secret@localhost:5432/sameway'],
  ['postgresql://user@%2Fvar%2Frun%2Fpostgresql/sameway'],
  ['postgresql:///sameway?host=/var/run/postgresql'],
  ['postgres://user:secret@/sameway?host=%2Fvar%2Frun%2Fpostgresql&port=5432'],
  ['socket:/var/run/postgresql?db=sameway'],
])('DATABASE_URL=%s names a database', (DATABASE_URL) => {
  expect(readEnv({ DATABASE_URL }).DATABASE_URL).toBe(DATABASE_URL);
});

test.each([
  [{}, 'http://localhost:3020'],
  [{ PORT: '8080' }, 'http://localhost:8080'],
  [{ HOST: '0.0.0.0' }, 'http://localhost:3020'],
  [{ HOST: '::' }, 'http://localhost:3020'],
  [{ HOST: '192.168.1.7' }, 'http://192.168.1.7:3020'],
  [{ HOST: 'fd00::7' }, 'http://[fd00::7]:3020'],
  [{ PUBLIC_URL: 'https://ride.example.com//' }, 'https://ride.example.com'],
])('with %j people open %s', (given, expected) => {
  expect(readEnv(given).publicUrl).toBe(expected);
});

test.each<[string, number | string[]]>([
  ['0', 0],
  ['1', 1],
  ['2', 2],
  ['10.0.0.0/8, 192.168.1.7', ['10.0.0.0/8', '192.168.1.7']],
  ['fd00::/8', ['fd00::/8']],
])('TRUST_PROXY=%s names the proxies in front', (typed, expected) => {
  expect(readEnv({ TRUST_PROXY: typed }).TRUST_PROXY).toEqual(expected);
});

test.each(['yes', 'true', '10.0.0.0/33', '10.0.0', 'proxy.example', '1,', '-1'])(
  'TRUST_PROXY=%s is refused',
  (typed) => {
    expect(() => readEnv({ TRUST_PROXY: typed })).toThrow(/TRUST_PROXY: expected a number of proxies/);
  },
);

test.each([
  [{}, false],
  [{ HOST: 'localhost' }, false],
  [{ HOST: '127.0.0.9' }, false],
  [{ HOST: '::1' }, false],
  [{ HOST: '0.0.0.0' }, true],
  [{ HOST: '::' }, true],
  [{ HOST: '192.168.1.7' }, true],
  [{ PUBLIC_URL: 'http://demo.localhost:3020' }, false],
  [{ PUBLIC_URL: 'http://[::1]:3020' }, false],
  [{ PUBLIC_URL: 'https://demo.example.com' }, true],
  [{ PUBLIC_URL: 'https://127.0.0.1.example.com' }, true],
  [{ HOST: '0.0.0.0', DEMO: '0' }, false],
  [{ HOST: '0.0.0.0', NODE_ENV: 'production' }, false],
])('a demo with %j can be reached from other machines: %s', (given, expected) => {
  expect(readEnv({ DEMO: '1', ...given }).isPublicDemo).toBe(expected);
});

test('a setting may be given as a file, and one that cannot be read is named', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sameway-env-'));
  const METRICS_TOKEN_FILE = path.join(folder, 'token');
  fs.writeFileSync(METRICS_TOKEN_FILE, 'a-token-in-a-file\n');
  expect(readEnv({ METRICS_TOKEN_FILE }).METRICS_TOKEN).toBe('a-token-in-a-file');
  expect(() => readEnv({ METRICS_TOKEN_FILE, METRICS_TOKEN: 'another-token-here' })).toThrow(
    'METRICS_TOKEN, METRICS_TOKEN_FILE: give one of them',
  );
  fs.rmSync(folder, { recursive: true });
  expect(() => readEnv({ METRICS_TOKEN_FILE })).toThrow(`METRICS_TOKEN_FILE: ${METRICS_TOKEN_FILE}`);
});

test('a list of breached passwords that cannot be used is refused at the start', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sameway-list-'));
  const file = path.join(folder, 'list.txt');
  expect(() => readEnv({ BREACHED_PASSWORDS: file })).toThrow(
    /^The configuration is wrong\. BREACHED_PASSWORDS: .*list\.txt cannot be read$/,
  );
  fs.writeFileSync(file, 'password\nletmein\n');
  expect(() => readEnv({ BREACHED_PASSWORDS: file })).toThrow(/BREACHED_PASSWORDS: .* no sorted list/);
  fs.writeFileSync(file, `${'0A'.repeat(20)}:3\r\n`);
  expect(readEnv({ BREACHED_PASSWORDS: file }).BREACHED_PASSWORDS).toBe(file);
  fs.rmSync(folder, { recursive: true });
});

test.each([
  ['NODE_ENV', 'prod', 'production'],
  ['NODE_ENV', 'Production', 'production'],
  ['PORT', 'abc', 'a whole number from 0 to 65535'],
  ['DATABASE_POOL_SIZE', '0', 'a whole number from 1 to 1000'],
  ['CANCEL_GRACE_MINUTES', '-1', 'a number from 0'],
  ['HOST', '999.1.1.1', '127.0.0.1'],
  ['HOST', 'http://here', '127.0.0.1'],
  ['REDIS_URL', 'localhost:6379', 'redis://'],
  ['MAIL_FROM', 'nonsense', 'Sameway <no-reply@example.com>'],
  ['MAIL_FROM', 'Sameway <nonsense>', 'Sameway <no-reply@example.com>'],
  ['ROLES', ',', 'web, worker, matching'],
  ['ALLOWED_EMAIL_DOMAINS.0', '@example.com', 'example.com,example.org'],
  ['ALLOWED_EMAIL_DOMAINS.0', 'a;b', 'example.com,example.org'],
  ['BACKUP_TO', 's3://bucket/town', 'needs S3_URL'],
])('%s=%s is refused, and the sentence shows what is expected', (name, value, expected) => {
  const refused = () => readEnv({ [name.split('.')[0]!]: value });
  expect(refused).toThrow(new RegExp(`^The configuration is wrong\\. ${name}: [^\n]*$`));
  expect(refused).toThrow(expected);
});

test.each(['Sameway <no-reply@example.com>', 'no-reply@example.com', '<rides@example.com>'])(
  'MAIL_FROM=%s names a sender',
  (MAIL_FROM) => {
    expect(readEnv({ MAIL_FROM }).MAIL_FROM).toBe(MAIL_FROM);
  },
);

test('keys of Stripe of two modes are refused', () => {
  const keys = { STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' };
  expect(() => readEnv({ ...keys, STRIPE_PUBLISHABLE_KEY: 'pk_test_1' })).toThrow(/both must be of one mode/);
  expect(readEnv({ ...keys, STRIPE_PUBLISHABLE_KEY: 'pk_live_1' }).takesCards).toBe(true);
});

test('all troubles come in one list, those between settings too', () => {
  const given = {
    PORT: 'abc',
    MAIL_FROM: 'x',
    METRICS_TOKEN_FILE: '/nowhere',
    S3_URL: 'https://s3.example.com/b',
  };
  expect(() => readEnv(given)).toThrow(
    /^The configuration is wrong:\n {2}METRICS_TOKEN_FILE: .*\n {2}PORT: .*\n {2}MAIL_FROM: .*\n {2}S3_ACCESS_KEY_ID, .*$/,
  );
});

test('DEMO in production has no effect, and a warning says so', () => {
  expect(readEnv({ DEMO: '1', NODE_ENV: 'production' })).toMatchObject({
    DEMO: false,
    warnings: ['DEMO=1 has no effect with NODE_ENV=production.'],
  });
});
