import * as access from '#contract/access/endpoints.ts';
import * as user from '#contract/user/endpoints.ts';
import type { App } from '../../app-type.ts';
import type { Serve } from '../../platform/http/http-server.ts';
import { changePassword } from './change-password.ts';
import { checkAccount } from './check-account.ts';
import { startOAuth, signInByOAuth, signInByIdToken } from './oauth.ts';
import { sendPhoneCode, verifyPhone } from './phones.ts';
import { refreshSession } from './refresh-session.ts';
import { registerDevice } from './register-device.ts';
import { sendResetCode, resetPassword } from './reset-password.ts';
import { createProfile, readProfile, saveProfile, changeContactType } from './save-profile.ts';
import { serveSecondFactor } from './second-factor/routes.ts';
import { signOut, listSessions, endSignIn } from './sessions.ts';
import { signIn } from './sign-in.ts';
import { signUp, resendSignupCode } from './sign-up.ts';
import { verifyEmail } from './verify-email.ts';

export function serveIdentity(serve: Serve, app: App): void {
  serve(access.allowedEmailDomains, async () => ({ domains: app.env.ALLOWED_EMAIL_DOMAINS }));
  serve(access.checkAccount, (input) => checkAccount(app, input));
  serve(access.signup, (input, _, origin) => signUp(app, input, origin));
  serve(access.resendEmailCode, (input, _, origin) => resendSignupCode(app, input.email, origin));
  serve(access.verifyEmail, (input, _, origin) => verifyEmail(app, input, origin));
  serve(access.login, (input, _, origin) => signIn(app, input, origin));
  serve(access.retrievePassword, (input, _, origin) => sendResetCode(app, input, origin));
  serve(access.retrievePasswordConfirm, async (input, _, origin) => {
    await resetPassword(app, input, origin);
    return {};
  });
  serve(access.changePassword, (input, caller) => changePassword(app, caller, input));
  serve(access.refreshToken, (input, _, origin) => refreshSession(app, input.refreshToken, origin));
  serve(access.logout, async (_, caller) => {
    await signOut(app, caller);
    return {};
  });
  serve(access.sessions, (_, caller) => listSessions(app, caller));
  serve(access.endSession, (input, caller) => endSignIn(app, caller, input.id));
  serve(access.updatePhone, (input, caller, origin) =>
    sendPhoneCode(app, caller.userId, input.phone, origin),
  );
  serve(access.verifyPhone, (input, caller, origin) => verifyPhone(app, caller.userId, input, origin));
  serve(access.outsideProviders, async () => ({ providers: app.identity.providers.list }));
  serve(access.oauthStart, (input, _, origin) => startOAuth(app, input, origin));
  serve(access.oauthLogin, (input, _, origin) => signInByOAuth(app, input, origin));
  serve(access.verifyOutside, (input, _, origin) => signInByIdToken(app, input, origin));

  serveSecondFactor(serve, app);

  serve(user.createUser, (input, caller) => createProfile(app, caller.userId, input));
  serve(user.readProfile, (_, caller) => readProfile(app, caller.userId), { remember: true });
  serve(user.saveProfile, (input, caller) => saveProfile(app, caller, input));
  serve(user.registerDevice, async (input, caller) => {
    await registerDevice(app, caller.userId, input);
    return {};
  });
  serve(user.changeContactType, async (input, caller) => {
    await changeContactType(app, caller.userId, input.prefer);
    return input;
  });
}
