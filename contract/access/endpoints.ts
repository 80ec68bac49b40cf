import { z } from 'zod';
import { staffRoles } from '../admin/roles.ts';
import { defineEndpoint, hourSeconds, minuteSeconds, type RateLimit } from '../define.ts';
import { id, instant, mostOfOne, mostPerPage, oneLine } from '../units.ts';

export const minPasswordLength = 12;

export const email = z.string().trim().toLowerCase().max(254).pipe(z.email('Email format error.'));
export const phone = z.string().trim().max(32);
export const code = z
  .string()
  .trim()
  .regex(/^\d{6}$/, 'Please enter the 6-digit code.');
export const newPassword = z
  .string()
  .min(minPasswordLength, `Please enter a password of at least ${minPasswordLength} characters.`)
  .max(200, 'Please enter a password of up to 200 characters.');

/**
 * The signed-in person, as the client stores it. Signed in means `accessToken` is not empty and `authed` is
 * true.
 */
export const sessionUser = z.object({
  id: z.string(),
  authId: z.string(),
  openId: z.string(),
  email: z.string(),
  phone: z.string(),
  phoneNumber: z.string(),
  phoneRegion: z.string(),
  preferContactWith: z.enum(['phone', 'email', 'chat']),
  name: z.string(),
  lastName: z.string(),
  avatar: z.string(),
  accessToken: z.string(),
  /** Milliseconds since 1970 at which the access token expires. */
  expiresAt: z.number(),
  refreshToken: z.string(),
  authed: z.boolean(),
  inviter: z.string(),
  /** An owner or an admin. */
  isAdmin: z.boolean(),
  /** Null for a person without a role on the team. */
  staffRole: z.enum(staffRoles).nullable(),
  /** True until the person has completed their profile after the first sign-in. */
  profileMissing: z.boolean(),
});
export type SessionUser = z.output<typeof sessionUser>;

const emailOrPhone = { email: z.union([email, z.literal('')]).default(''), phone: phone.default('') };
const done = z.object({});

/** All calls of an OAuth sign-in together; enough for a household or a school behind one address. */
const oauthLimit: RateLimit = {
  countedAs: 'outside',
  per: 'network',
  most: 120,
  withinSeconds: 15 * minuteSeconds,
};

export const allowedEmailDomains = defineEndpoint({
  method: 'GET',
  path: '/access/get-allowed-email-domains',
  who: 'guest',
  summary: 'The email domains that may sign up; an empty list means all.',
  input: z.object({}),
  output: z.object({ domains: z.array(z.string()).max(mostOfOne) }),
  refusals: [],
});

export const checkAccount = defineEndpoint({
  method: 'GET',
  path: '/access/check-account',
  who: 'guest',
  summary:
    'Whether an account has this email or phone number and its owner allows others to find it. Up to 10 checks every 15 minutes from one network.',
  limits: [{ countedAs: 'check', per: 'network', most: 10, withinSeconds: 15 * minuteSeconds }],
  input: z.object(emailOrPhone),
  output: z.object({ exists: z.boolean() }),
  refusals: ['access.nameMissing'],
});

export const signup = defineEndpoint({
  method: 'POST',
  path: '/access/signup',
  who: 'guest',
  summary: 'Starts a sign-up: emails a code.',
  limits: [{ countedAs: 'signup', per: 'network', most: 60, withinSeconds: hourSeconds }],
  input: z.object({
    email,
    phone: phone.default(''),
    /** Empty for an account without a password: its owner signs in with a code, and may set one then. */
    password: z.union([z.literal(''), newPassword]).default(''),
    /** The language of the emails, and of the new account. */
    language: z.enum(['en', 'zh']).default('en'),
  }),
  output: z.object({ resendAfterSeconds: z.number() }),
  refusals: [
    'access.domainNotAllowed',
    'access.emailTaken',
    'access.passwordCommon',
    'access.passwordBreached',
    'access.phoneInvalid',
    'user.phoneTaken',
  ],
});

export const verifyEmail = defineEndpoint({
  method: 'POST',
  path: '/access/verify-email',
  who: 'guest',
  summary:
    'Finishes the sign-up with the code from the email, records what the person agreed to, and signs them in.',
  input: z.object({ email, phone: phone.default(''), code }),
  output: sessionUser,
  refusals: ['access.codeWrong', 'access.codeExpired', 'access.emailTaken'],
});

export const resendEmailCode = defineEndpoint({
  method: 'POST',
  path: '/access/resend-email-code',
  who: 'guest',
  summary: 'Sends a new code, up to once a minute.',
  input: z.object({ email, phone: phone.default('') }),
  output: z.object({ resendAfterSeconds: z.number() }),
  refusals: [],
});

export const login = defineEndpoint({
  method: 'POST',
  path: '/access/login',
  who: 'guest',
  summary: 'Signs in with an email address or phone number and a password.',
  limits: [{ countedAs: 'login', per: 'network', most: 120, withinSeconds: 15 * minuteSeconds }],
  input: z.object({ ...emailOrPhone, password: z.string().min(1, 'Please enter your password.').max(200) }),
  output: sessionUser,
  refusals: [
    'access.nameMissing',
    'access.wrong',
    'access.notVerified',
    'access.secondStep',
    'access.suspended',
  ],
});

export const retrievePassword = defineEndpoint({
  method: 'POST',
  path: '/access/retrieve-password',
  who: 'guest',
  summary:
    'Sends a password reset code by email or to a verified phone. The answer is the same whether or not the account exists.',
  input: z.object(emailOrPhone),
  output: z.object({ resendAfterSeconds: z.number() }),
  refusals: ['access.nameMissing'],
});

export const retrievePasswordConfirm = defineEndpoint({
  method: 'POST',
  path: '/access/retrieve-password-confirm',
  who: 'guest',
  summary: 'Sets a new password with the reset code and ends all sessions of the account.',
  input: z.object({ ...emailOrPhone, code, password: newPassword }),
  output: done,
  refusals: [
    'access.nameMissing',
    'access.codeWrong',
    'access.codeExpired',
    'access.passwordCommon',
    'access.passwordBreached',
  ],
});

export const changePassword = defineEndpoint({
  method: 'POST',
  path: '/access/change-password',
  who: 'user',
  summary: 'Changes the password, given the old one, and ends all other sessions of the account.',
  input: z.object({
    oldPassword: z.string().min(1, 'Please enter your password.').max(200),
    password: newPassword,
  }),
  output: z.object({ ended: z.number() }),
  refusals: [
    'access.passwordWrong',
    'access.passwordNone',
    'access.passwordCommon',
    'access.passwordBreached',
  ],
});

export const refreshToken = defineEndpoint({
  method: 'POST',
  path: '/access/refresh-token',
  who: 'guest',
  summary:
    'Exchanges a refresh token for a new pair of tokens. Using one twice, or in a different browser on a different system, ends the session.',
  input: z.object({ refreshToken: z.string().min(1).max(200) }),
  output: sessionUser,
  refusals: ['access.suspended'],
});

export const logout = defineEndpoint({
  method: 'POST',
  path: '/access/logout',
  who: 'user',
  summary: 'Ends this session.',
  input: z.object({}),
  output: done,
  refusals: [],
});

export const sessions = defineEndpoint({
  method: 'GET',
  path: '/access/sessions',
  who: 'user',
  summary: 'The sessions of the person, the newest first.',
  input: z.object({}),
  output: z.object({
    sessions: z
      .array(
        z.object({
          id,
          /** The session of this call. */
          current: z.boolean(),
          userAgent: z.string(),
          /** The network that last used it: a prefix of the address. Empty if it is not known. */
          network: z.string(),
          signedInAt: instant,
          /** When its tokens were last renewed, to the hour. */
          activeAt: instant,
        }),
      )
      .max(mostPerPage),
  }),
  refusals: [],
});

export const endSession = defineEndpoint({
  method: 'POST',
  path: '/access/end-session',
  who: 'user',
  stepUp: true,
  summary: 'Ends one session of the caller, or, without an id, all but the current one.',
  input: z.object({ id: id.optional() }),
  output: z.object({ ended: z.number().int() }),
  refusals: ['session.notFound'],
});

export const updatePhone = defineEndpoint({
  method: 'POST',
  path: '/access/update-phone',
  who: 'user',
  stepUp: true,
  summary: 'Texts a code to a new phone number, up to once a minute. `/access/verify-phone` confirms it.',
  input: z.object({ phone: phone.min(1, 'Please enter your phone number.') }),
  output: z.object({ phone: z.string(), resendAfterSeconds: z.number() }),
  refusals: ['access.phoneInvalid', 'user.phoneTaken'],
});

export const verifyPhone = defineEndpoint({
  method: 'POST',
  path: '/access/verify-phone',
  who: 'user',
  summary: 'Confirms the person’s phone number with the code from the text message.',
  input: z.object({ phone: phone.min(1, 'Please enter your phone number.'), code }),
  output: z.object({ phone: z.string(), phoneRegion: z.string() }),
  refusals: ['access.phoneInvalid', 'access.codeWrong', 'access.codeExpired', 'user.phoneTaken'],
});

export const outsideProviders = defineEndpoint({
  method: 'GET',
  path: '/access/oauth-providers',
  who: 'guest',
  summary: 'The sign-in providers of this installation; empty if none is configured.',
  input: z.object({}),
  output: z.object({ providers: z.array(z.object({ id: z.string(), name: z.string() })).max(mostOfOne) }),
  refusals: [],
});

const redirectUri = z.url().max(500);

export const oauthStart = defineEndpoint({
  method: 'POST',
  path: '/access/oauth-start',
  who: 'guest',
  summary:
    'Starts a sign-in with a provider: the address to open in the browser, and the nonce for a native sign-in.',
  limits: [oauthLimit],
  input: z.object({
    provider: z.string().max(40),
    redirect_uri: redirectUri,
    /** The language of the account, if one is created. */
    language: z.enum(['en', 'zh']).default('en'),
  }),
  output: z.object({ authorizationUrl: z.string(), state: z.string(), nonce: z.string() }),
  refusals: ['access.providerUnknown', 'access.redirectRefused', 'access.providerAway'],
});

const outsideRefusals = [
  'access.outsideRefused',
  'access.outsideExpired',
  'access.outsideEmail',
  'access.providerAway',
  'access.domainNotAllowed',
  'access.secondStep',
  'access.suspended',
] as const;

export const oauthLogin = defineEndpoint({
  method: 'POST',
  path: '/access/oauth-login',
  who: 'guest',
  summary:
    'Signs in with the code that a provider returned. It connects to an existing account only if both sides have verified the email address.',
  limits: [oauthLimit],
  input: z.object({
    code: z.string().min(1).max(4000),
    redirect_uri: redirectUri,
    /**
     * As returned with the code; without it, the cookie of the browser that began the sign-in identifies it.
     */
    state: z.string().max(200).default(''),
    /** As returned, if the provider sends it. */
    iss: z.string().max(500).default(''),
  }),
  output: sessionUser,
  refusals: outsideRefusals,
});

export const verifyOutside = defineEndpoint({
  method: 'POST',
  path: '/access/verify',
  who: 'guest',
  summary:
    'Signs in with an id_token that a provider issued to a native app. The server checks signature, issuer, audience, expiry and its own nonce.',
  limits: [oauthLimit],
  input: z.object({
    id_token: z.string().min(1).max(10_000),
    /** The name for a new account. */
    userNick: oneLine(60).default(''),
    pushCid: z.string().max(500).default(''),
  }),
  output: sessionUser,
  refusals: outsideRefusals,
});
