import * as setup from '#contract/setup/endpoints.ts';
import type { Serve } from '../../../app-type.ts';
import { checkLink, makeOwner, readSettings, tryAccount, trySending, tryPack } from './open-setup.ts';

/** The calls of the setup page, for a caller who has the link. */
export function serveSetup(serve: Serve): void {
  serve(setup.readSetup, async (app, { token }) => {
    await checkLink(app, token);
    return readSettings(app);
  });
  serve(setup.tryRegion, async (app, { token }) => {
    await checkLink(app, token);
    return tryPack(app);
  });
  serve(setup.tryMail, async (app, { token, to, language }) => {
    await checkLink(app, token);
    return trySending(app, { to, language });
  });
  serve(setup.tryCards, async (app, { token }) => {
    await checkLink(app, token);
    return tryAccount(app);
  });
  serve(setup.makeOwner, (app, input) => makeOwner(app, input));
}
