import { moveClock, readOutbox } from '#contract/demo/endpoints.ts';
import type { Serve } from '../../platform/http/http-server.ts';
import type { DemoService } from './service.ts';

/** A call that is not for this installation is not registered: its path is as unknown as any other. */
export function serveDemo(serve: Serve, demo: DemoService): void {
  if (demo.showsOutbox) serve(readOutbox, async () => ({ letters: await demo.letters() }));
  if (demo.movesClock) serve(moveClock, ({ to }) => demo.moveClock(to === null ? null : new Date(to)));
}
