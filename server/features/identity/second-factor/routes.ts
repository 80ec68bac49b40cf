import * as calls from '#contract/access/second-factor.ts';
import type { Serve } from '../../../platform/http/http-server.ts';
import type { SecondFactorService } from './service.ts';

export function serveSecondFactor(serve: Serve, factors: SecondFactorService): void {
  serve(calls.readSecondFactor, (_, caller) => factors.read(caller));
  serve(calls.beginTotp, (_, caller) => factors.beginTotp(caller));
  serve(calls.confirmTotp, (input, caller) => factors.confirmTotp(caller, input.code));
  serve(calls.removeTotp, async (_, caller) => {
    await factors.removeTotp(caller);
    return {};
  });
  serve(calls.renewRecoveryCodes, (_, caller) => factors.renewRecoveryCodes(caller));
  serve(calls.beginPasskey, (_, caller) => factors.beginPasskey(caller));
  serve(calls.addPasskey, (input, caller) => factors.addPasskey(caller, input));
  serve(calls.renamePasskey, (input, caller) => factors.renamePasskey(caller, input));
  serve(calls.removePasskey, async (input, caller) => {
    await factors.removePasskey(caller, input.id);
    return {};
  });
  serve(calls.passkeySignInOptions, () => factors.passkeySignInOptions());
  serve(calls.signInByPasskey, (input, _, origin) => factors.signInByPasskey(input, origin));
  serve(calls.secondStepOptions, (input) => factors.secondStepOptions(input.ticket));
  serve(calls.secondStep, (input, _, origin) => factors.secondStep(input, origin));
  serve(calls.proveOptions, (_, caller) => factors.proveOptions(caller));
  serve(calls.sendProofCode, (_, caller, origin) => factors.sendProofCode(caller, origin));
  serve(calls.prove, (input, caller, origin) => factors.prove(caller, input, origin));
}
