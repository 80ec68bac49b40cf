import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';
import { Provider } from 'oidc-provider';

/** A provider's facts of a person who signs in there. */
export interface OutsidePerson {
  email?: string;
  email_verified?: boolean;
  name?: string;
}

export const outsideClient = { clientId: 'sameway', clientSecret: 'a secret between the two of us' };

async function listen(server: http.Server): Promise<string> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const close = (server: http.Server) =>
  new Promise<void>((resolve) => {
    server.closeAllConnections();
    server.close(() => resolve());
  });

/**
 * A real OpenID Connect provider on this machine; the people in `people` sign in with their login and any
 * password.
 */
export async function startProvider(options: {
  people: Record<string, OutsidePerson>;
  redirectUris: string[];
}): Promise<{ issuer: string; close: () => Promise<void> }> {
  // The issuer's address contains the port, so the server listens before the provider exists.
  let listener: http.RequestListener = (_request, response) => response.end();
  const server = http.createServer((request, response) => listener(request, response));
  const issuer = await listen(server);
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'local' };
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: outsideClient.clientId,
        client_secret: outsideClient.clientSecret,
        token_endpoint_auth_method: 'client_secret_post',
        application_type: 'native',
        redirect_uris: options.redirectUris,
      },
    ],
    jwks: { keys: [key] },
    cookies: { keys: ['local'] },
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    // Some providers put the e-mail into the token, some only into the userinfo answer: this one the latter.
    conformIdTokenClaims: true,
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({ sub: id, ...options.people[id] }),
    }),
  });
  listener = provider.callback();
  return { issuer, close: () => close(server) };
}

/** Goes through a provider's own pages as a browser would and returns where it is sent in the end. */
export async function signInAtProvider(authorizationUrl: string, login: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = new URL(authorizationUrl);
  const { origin } = url;
  let form: URLSearchParams | null = null;
  for (let step = 0; step < 20; step++) {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form === null ? {} : { method: 'POST', body: form }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location !== null) {
      url = new URL(location, url);
      form = null;
      if (url.origin !== origin) return url;
      continue;
    }
    const page = await response.text();
    const action = /action="([^"]+)"/.exec(page)?.[1];
    if (action === undefined) throw new Error(`The provider shows no form: ${page.slice(0, 500)}`);
    url = new URL(action, url);
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? '';
    form = new URLSearchParams(prompt === 'login' ? { prompt, login, password: 'any' } : { prompt });
  }
  throw new Error('The provider never sent the browser back.');
}

export interface CrookedProvider {
  issuer: string;
  /** Signs claims with the provider's real key, or with an unknown one. */
  sign(
    claims: Record<string, unknown>,
    options?: { strangeKey?: boolean; expired?: boolean; carriesKey?: boolean },
  ): Promise<string>;
  /** Sets the answer to the next trade of a code. */
  answerWith(idToken: string): void;
  close: () => Promise<void>;
}

/**
 * A provider that says whatever a test wants it to: wrong issuers, audiences, nonces, signatures.
 * @param pages where it sends people to sign in; its own address unless given
 */
export async function startCrookedProvider(pages?: string): Promise<CrookedProvider> {
  const [own, strange] = await Promise.all([keyPair(), keyPair()]);
  let idToken = '';
  const server = http.createServer((request, response) => {
    const answers: Record<string, unknown> = {
      '/.well-known/openid-configuration': {
        issuer,
        authorization_endpoint: pages ?? `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      },
      '/jwks': { keys: [own.jwk] },
      '/token': { access_token: 'x', token_type: 'bearer', expires_in: 60, id_token: idToken },
    };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answers[request.url ?? ''] ?? {}));
  });
  const issuer = await listen(server);
  return {
    issuer,
    async sign(claims, { strangeKey = false, expired = false, carriesKey = false } = {}) {
      const now = Math.floor(Date.now() / 1000);
      const lives = expired ? { iat: now - 7200, exp: now - 3600 } : { iat: now, exp: now + 300 };
      return new SignJWT({ ...lives, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: 'own', ...(carriesKey && { jwk: strange.jwk }) })
        .sign(strangeKey ? strange.privateKey : own.privateKey);
    },
    answerWith(token) {
      idToken = token;
    },
    close: () => close(server),
  };
}

async function keyPair(): Promise<{ privateKey: CryptoKey; jwk: JWK }> {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), alg: 'RS256', use: 'sig', kid: 'own' } };
}
