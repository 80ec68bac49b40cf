import { expect, test } from 'vitest';
import { settingNames } from './env.ts';
import { unknownSettings } from './setting-checks.ts';

test.each([
  ['SMPT_URL', 'SMTP_URL'],
  ['STMP_URL', 'SMTP_URL'],
  ['BACKUP_DIR', 'BACKUP_TO'],
  ['BACKUP_KEY_FLIE', 'BACKUP_KEY_FILE'],
  ['SEAL_KEY', 'SEAL_KEYS'],
  ['METRICS_TOKEN_FLIE', 'METRICS_TOKEN_FILE'],
  ['REGIONS', 'REGION'],
  ['PUBLIC_ULR', 'PUBLIC_URL'],
  ['MAILFROM', 'MAIL_FROM'],
  ['STRIPE_SECRET', 'STRIPE_SECRET_KEY'],
  ['OTEL_EXPORTER_OTLP_ENDPOINTS', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  ['TRUSTPROXY', 'TRUST_PROXY'],
])('%s is said, with %s as the nearest', (name, nearest) => {
  expect(unknownSettings([name], settingNames)).toEqual([
    `${name} is no setting of Sameway; did you mean ${nearest}?`,
  ]);
});

test('variables of the system, of npm and of container platforms are passed over', () => {
  const usual =
    `PATH HOME HOSTNAME HOSTTYPE LANG LANGUAGE LOGNAME MAIL NODE NODE_OPTIONS NODE_PATH NODE_VERSION TERM TZ USER
    SHELL PWD EDITOR CI DISPLAY COLOR npm_config_cache npm_execpath npm_package_name INIT_CWD SSH_CONNECTION
    XDG_DATA_DIRS AWS_REGION AWS_ACCESS_KEY_ID PGHOST PGPORT POSTGRES_PASSWORD JOURNAL_STREAM SMTP_SERVICE_HOST
    SMTP_PORT SMTP_PORT_25_TCP SMTP_PORT_25_TCP_ADDR REDIS_SERVICE_PORT OTEL_RESOURCE_ATTRIBUTES
    CREDENTIALS_DIRECTORY NOTIFY_SOCKET MEMORY_PRESSURE_WATCH`.split(/\s+/);
  expect(unknownSettings([...usual, ...settingNames], settingNames)).toEqual([]);
});
