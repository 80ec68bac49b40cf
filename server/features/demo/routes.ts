import { moveClock, readOutbox } from '#contract/demo/endpoints.ts';
import type { Serve } from '../../platform/http/http-server.ts';
import type { DemoService } from './service.ts';

/** A call that this installation does not offer is not registered, so its path answers as an unknown one. */
export function serveDemo(serve: Serve, demo: DemoService): void {
  if (demo.showsOutbox) serve(readOutbox, async () => ({ letters: await demo.letters() }));
  if (demo.movesClock) serve(moveClock, ({ to }) => demo.moveClock(to === null ? null : new Date(to)));
}
