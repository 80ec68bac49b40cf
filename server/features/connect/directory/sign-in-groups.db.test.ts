import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as access from '#contract/access/endpoints.ts';
import { mapGroup } from '#contract/connect/directory.ts';
import { users } from '../../../schema/identity.ts';
import { outsideClient, signInAtProvider, startProvider } from '../../../testing/oauth-provider.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../../testing/test-app.ts';

const landing = 'http://127.0.0.1:3000/pages/auth/oauth';
const worker = (name: string, groups?: string[]) => ({
  email: `${name}@example.com`,
  email_verified: true,
  name,
  ...(groups === undefined ? {} : { groups }),
});
const people: Record<string, object> = {
  nora: worker('nora', ['Help desk', 'Everyone']),
  boss: worker('boss', ['Board']),
  plain: worker('plain'),
};

let app: TestApp;
let owner: TestPerson;
let provider: Awaited<ReturnType<typeof startProvider>>;
beforeAll(async () => {
  provider = await startProvider({ people, redirectUris: [landing] });
  const { clientId, clientSecret } = outsideClient;
  const local = { name: 'Local', issuer: provider.issuer, clientId, clientSecret };
  app = await openTestApp({
    env: {
      OIDC_PROVIDERS: JSON.stringify([
        { id: 'work', ...local, groupsClaim: 'groups' },
        // The same people, but the server does not read their groups.
        { id: 'public', ...local },
      ]),
    },
  });
  owner = await app.person('Owner', { staffRole: 'owner' });
  await app.ok(owner, mapGroup, { group: 'help desk', role: 'support' });
});
afterAll(() => Promise.all([app.close(), provider.close()]));

async function signIn(login: string, by = 'work') {
  const started = await app.ok(null, access.oauthStart, { provider: by, redirect_uri: landing });
  const landed = await signInAtProvider(started.authorizationUrl, login);
  const of = (name: string) => landed.searchParams.get(name) ?? '';
  const answer = { code: of('code'), state: of('state'), iss: of('iss'), redirect_uri: landing };
  return app.ok(null, access.oauthLogin, answer);
}

test('a group gives its role from the first session on; leaving the group takes it away at the next', async () => {
  expect((await signIn('nora')).staffRole).toBe('support');
  Object.assign(people, { nora: worker('nora', ['Everyone']) });
  expect((await signIn('nora')).staffRole).toBeNull();
  Object.assign(people, { nora: worker('nora', ['HELP DESK']) });
  expect((await signIn('nora')).staffRole).toBe('support');
  Object.assign(people, { nora: worker('nora') });
  expect((await signIn('nora')).staffRole).toBeNull();
});

test('a provider whose groups are not read neither gives nor takes a role', async () => {
  Object.assign(people, { nora: worker('nora', ['Help desk']) });
  expect((await signIn('nora', 'public')).staffRole).toBeNull();
  expect((await signIn('nora')).staffRole).toBe('support');
  Object.assign(people, { nora: worker('nora') });
  expect((await signIn('nora', 'public')).staffRole).toBe('support');
});

test('a new mapping applies to existing members, and no group makes an owner', async () => {
  expect((await signIn('boss')).staffRole).toBeNull();
  await app.ok(owner, mapGroup, { group: 'Board', role: 'auditor' });
  const roleOf = async (email: string) =>
    (await app.platform.db.select().from(users).where(eq(users.email, email)))[0]?.staffRole;
  expect(await roleOf('boss@example.com')).toBe('auditor');
  await app.ok(owner, mapGroup, { group: 'Board', role: null });
  expect(await roleOf('boss@example.com')).toBeNull();
  expect((await signIn('plain')).staffRole).toBeNull();
});

test('a role given by hand outlasts a sign-in without groups', async () => {
  await signIn('plain');
  await app.platform.db
    .update(users)
    .set({ staffRole: 'reviewer' })
    .where(eq(users.email, 'plain@example.com'));
  expect((await signIn('plain')).staffRole).toBe('reviewer');
});
