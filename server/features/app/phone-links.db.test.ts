import { expect, test } from 'vitest';
import { openTestApp } from '../../testing/test-app.ts';

const [android, apple] = ['/.well-known/assetlinks.json', '/.well-known/apple-app-site-association'];
const print = Array.from({ length: 32 }, () => 'AB').join(':');

async function links(env: Record<string, string>) {
  const app = await openTestApp({ env });
  const answers = await Promise.all([android, apple].map((url) => app.http.inject({ url })));
  await app.close();
  return answers;
}

test('phones are told which apps open the links of this installation', async () => {
  const answers = await links({
    PHONE_APP_ID: 'com.example.sameway',
    ANDROID_CERTIFICATES: print.toLowerCase(),
    APPLE_TEAM_ID: 'TEAM123456',
  });
  for (const { statusCode, headers } of answers) {
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toMatch(/^application\/json/);
  }
  expect(answers[0]!.json()).toEqual([
    {
      relation: ['delegate_permission/common.handle_all_urls'],
      target: {
        namespace: 'android_app',
        package_name: 'com.example.sameway',
        sha256_cert_fingerprints: [print],
      },
    },
  ]);
  expect(answers[1]!.json()).toMatchObject({
    applinks: {
      details: [
        {
          appIDs: ['TEAM123456.com.example.sameway'],
          components: [{ '/': '/pages/*' }, { '/': '/e/*' }, { '/': '/r/*' }, { '/': '/intro*' }],
        },
      ],
    },
  });
});

test('without apps there is nothing to read', async () => {
  for (const { statusCode } of await links({})) expect(statusCode).toBe(404);
});
