import * as access from '#contract/access/endpoints.ts';
import * as user from '#contract/user/endpoints.ts';
import type { Serve } from '../../app-type.ts';
import { sendResetCode, resetPassword } from './reset-password.ts';
import { changePassword } from './change-password.ts';
import { checkAccount, signIn } from './sign-in.ts';
import { startOAuth, signInByOAuth, signInByIdToken } from './oauth.ts';
import { sendPhoneCode, verifyPhone } from './phones.ts';
import { refreshSession, signOut, listSessions, endSignIn } from './sessions.ts';
import {
  registerDevice,
  createProfile,
  readProfile,
  saveProfile,
  changeContactType,
} from './save-profile.ts';
import { serveSecondFactor } from './second-factor/routes.ts';
import { signUp, resendSignupCode } from './sign-up.ts';
import { verifyEmail } from './verify-email.ts';

export function serveIdentity(serve: Serve): void {
  serve(access.allowedEmailDomains, async (app) => ({ domains: app.env.ALLOWED_EMAIL_DOMAINS }));
  serve(access.checkAccount, (app, input) => checkAccount(app, input));
  serve(access.signup, (app, input, _, origin) => signUp(app, input, origin));
  serve(access.resendEmailCode, (app, input, _, origin) => resendSignupCode(app, input.email, origin));
  serve(access.verifyEmail, (app, input, _, origin) => verifyEmail(app, input, origin));
  serve(access.login, (app, input, _, origin) => signIn(app, input, origin));
  serve(access.retrievePassword, (app, input, _, origin) => sendResetCode(app, input, origin));
  serve(access.retrievePasswordConfirm, (app, input, _, origin) => resetPassword(app, input, origin));
  serve(access.changePassword, (app, input, caller) => changePassword(app, caller, input));
  serve(access.refreshToken, (app, input, _, origin) => refreshSession(app, input.refreshToken, origin));
  serve(access.logout, (app, _, caller) => signOut(app, caller));
  serve(access.sessions, (app, _, caller) => listSessions(app, caller));
  serve(access.endSession, (app, input, caller) => endSignIn(app, caller, input.id));
  serve(access.updatePhone, (app, input, caller, origin) =>
    sendPhoneCode(app, caller.userId, input.phone, origin),
  );
  serve(access.verifyPhone, (app, input, caller, origin) => verifyPhone(app, caller.userId, input, origin));
  serve(access.outsideProviders, async (app) => ({ providers: app.identity.providers.list }));
  serve(access.oauthStart, (app, input, _, origin) => startOAuth(app, input, origin));
  serve(access.oauthLogin, (app, input, _, origin) => signInByOAuth(app, input, origin));
  serve(access.verifyOutside, (app, input, _, origin) => signInByIdToken(app, input, origin));

  serveSecondFactor(serve);

  serve(user.createUser, (app, input, caller) => createProfile(app, caller.userId, input));
  serve(user.readProfile, (app, _, caller) => readProfile(app, caller.userId));
  serve(user.saveProfile, (app, input, caller) => saveProfile(app, caller, input));
  serve(user.registerDevice, (app, input, caller) => registerDevice(app, caller.userId, input));
  serve(user.changeContactType, async (app, input, caller) => {
    await changeContactType(app, caller.userId, input.prefer);
    return input;
  });
}
