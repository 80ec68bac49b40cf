import * as access from '#contract/access/endpoints.ts';
import * as user from '#contract/user/endpoints.ts';
import type { Serve } from '../../platform/http/http-server.ts';
import { serveSecondFactor } from './second-factor/routes.ts';
import type { IdentityService } from './service.ts';

export function serveIdentity(serve: Serve, identity: IdentityService): void {
  serve(access.allowedEmailDomains, async () => ({ domains: identity.allowedEmailDomains() }));
  serve(access.checkAccount, (input) => identity.checkAccount(input));
  serve(access.signup, (input, _, origin) => identity.signup(input, origin));
  serve(access.resendEmailCode, (input, _, origin) => identity.resendCode(input.email, origin));
  serve(access.verifyEmail, (input, _, origin) => identity.verifyEmail(input, origin));
  serve(access.login, (input, _, origin) => identity.login(input, origin));
  serve(access.retrievePassword, (input, _, origin) => identity.retrievePassword(input, origin));
  serve(access.retrievePasswordConfirm, async (input, _, origin) => {
    await identity.resetPassword(input, origin);
    return {};
  });
  serve(access.changePassword, (input, caller) => identity.changePassword(caller, input));
  serve(access.refreshToken, (input, _, origin) => identity.refresh(input.refreshToken, origin));
  serve(access.logout, async (_, caller) => {
    await identity.logout(caller);
    return {};
  });
  serve(access.sessions, (_, caller) => identity.sessions(caller));
  serve(access.endSession, (input, caller) => identity.endSession(caller, input.id));
  serve(access.updatePhone, (input, caller, origin) =>
    identity.updatePhone(caller.userId, input.phone, origin),
  );
  serve(access.verifyPhone, (input, caller, origin) =>
    identity.verifyPhone(caller.userId, input.phone, input.code, origin),
  );
  serve(access.outsideProviders, async () => identity.oauthProviders());
  serve(access.oauthStart, (input, _, origin) => identity.startOAuth(input, origin));
  serve(access.oauthLogin, (input, _, origin) => identity.loginByOAuth(input, origin));
  serve(access.verifyOutside, (input, _, origin) => identity.verifyOAuth(input, origin));

  serveSecondFactor(serve, identity.secondFactor);

  serve(user.createUser, (input, caller) => identity.createProfile(caller.userId, input));
  serve(user.readProfile, (_, caller) => identity.profile(caller.userId), { remember: true });
  serve(user.saveProfile, (input, caller) => identity.saveProfile(caller, input));
  serve(user.registerDevice, async (input, caller) => {
    await identity.registerDevice(caller.userId, input);
    return {};
  });
  serve(user.changeContactType, async (input, caller) => {
    await identity.changeContactType(caller.userId, input.prefer);
    return input;
  });
}
