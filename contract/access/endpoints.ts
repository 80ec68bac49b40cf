import { z } from 'zod';
import { defineEndpoint } from '../define.ts';

export const minPasswordLength = 10;

export const email = z.string().trim().toLowerCase().max(254).pipe(z.email('Email format error.'));
export const phone = z.string().trim().max(32);
export const code = z
  .string()
  .trim()
  .regex(/^\d{6}$/, 'Please enter the 6-digit code.');
export const newPassword = z
  .string()
  .min(minPasswordLength, `Please enter a password of at least ${minPasswordLength} characters.`)
  .max(200, 'Please enter a password of at most 200 characters.');

/** The signed-in person, as the client keeps it. Logged in means `accessToken` is not empty and `authed` is true. */
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
  /** Milliseconds since 1970 at which the access token ends. */
  expiresAt: z.number(),
  refreshToken: z.string(),
  authed: z.boolean(),
  inviter: z.string(),
  isAdmin: z.boolean(),
  /** True until the person has completed their profile after the first sign-in. */
  profileMissing: z.boolean(),
});
export type SessionUser = z.output<typeof sessionUser>;

const emailOrPhone = { email: z.union([email, z.literal('')]).default(''), phone: phone.default('') };
const done = z.object({});

export const allowedEmailDomains = defineEndpoint({
  method: 'GET',
  path: '/access/get-allowed-email-domains',
  who: 'guest',
  summary: 'E-mail domains that may sign up; an empty list means all.',
  input: z.object({}),
  output: z.object({ domains: z.array(z.string()) }),
  refusals: [],
});

export const checkAccount = defineEndpoint({
  method: 'GET',
  path: '/access/check-account',
  who: 'guest',
  summary: 'Whether an account with this e-mail or phone exists.',
  input: z.object(emailOrPhone),
  output: z.object({ exists: z.boolean() }),
  refusals: ['access.nameMissing'],
});

export const signup = defineEndpoint({
  method: 'POST',
  path: '/access/signup',
  who: 'guest',
  summary: 'Starts an account: sends a code to the e-mail address.',
  input: z.object({
    email,
    phone: phone.default(''),
    password: newPassword,
    /** Of the letters, and of the account it becomes. */
    language: z.enum(['en', 'zh']).default('en'),
  }),
  output: z.object({ resendAfterSeconds: z.number() }),
  refusals: [
    'access.domainNotAllowed',
    'access.emailTaken',
    'access.passwordCommon',
    'access.phoneInvalid',
    'user.phoneTaken',
  ],
});

export const verifyEmail = defineEndpoint({
  method: 'POST',
  path: '/access/verify-email',
  who: 'guest',
  summary: 'Finishes sign-up with the code from the letter and signs the person in.',
  input: z.object({ email, phone: phone.default(''), code }),
  output: sessionUser,
  refusals: ['access.codeWrong', 'access.codeExpired', 'access.emailTaken'],
});

export const resendEmailCode = defineEndpoint({
  method: 'POST',
  path: '/access/resend-email-code',
  who: 'guest',
  summary: 'Sends a fresh code, at most once a minute.',
  input: z.object({ email, phone: phone.default('') }),
  output: z.object({ resendAfterSeconds: z.number() }),
  refusals: [],
});

export const login = defineEndpoint({
  method: 'POST',
  path: '/access/login',
  who: 'guest',
  summary: 'Signs in with e-mail or phone and password.',
  input: z.object({ ...emailOrPhone, password: z.string().min(1, 'Please enter your password.').max(200) }),
  output: sessionUser,
  refusals: ['access.nameMissing', 'access.wrong', 'access.notVerified'],
});

export const retrievePassword = defineEndpoint({
  method: 'POST',
  path: '/access/retrieve-password',
  who: 'guest',
  summary: 'Sends a reset code; answers the same whether or not the account exists.',
  input: z.object({ email, phone: phone.default('') }),
  output: z.object({ resendAfterSeconds: z.number() }),
  refusals: [],
});

export const retrievePasswordConfirm = defineEndpoint({
  method: 'POST',
  path: '/access/retrieve-password-confirm',
  who: 'guest',
  summary: 'Sets a new password with the reset code and ends every session of the account.',
  input: z.object({ email, phone: phone.default(''), code, password: newPassword }),
  output: done,
  refusals: ['access.codeWrong', 'access.codeExpired', 'access.passwordCommon'],
});

export const refreshToken = defineEndpoint({
  method: 'POST',
  path: '/access/refresh-token',
  who: 'guest',
  summary: 'Trades a refresh token for a new pair; using one twice ends the whole family.',
  input: z.object({ refreshToken: z.string().min(1).max(200) }),
  output: sessionUser,
  refusals: [],
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
