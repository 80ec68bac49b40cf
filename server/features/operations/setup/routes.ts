import * as setup from '#contract/setup/endpoints.ts';
import type { Serve } from '../../../platform/http/http-server.ts';
import type { SetupService } from './service.ts';

export function serveSetup(serve: Serve, service: SetupService): void {
  serve(setup.readSetup, (input) => service.read(input));
  serve(setup.tryRegion, (input) => service.tryRegion(input));
  serve(setup.tryMail, (input) => service.tryMail(input));
  serve(setup.tryCards, (input) => service.tryCards(input));
  serve(setup.makeOwner, async (input) => {
    await service.makeOwner(input);
    return {};
  });
}
