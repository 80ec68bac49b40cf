import * as calls from '#contract/announcements/endpoints.ts';
import type { App } from '../../../app-type.ts';
import type { Serve } from '../../../platform/http/http-server.ts';
import {
  currentAnnouncements,
  listAnnouncements,
  publishAnnouncement,
  takeDownAnnouncement,
} from './announce.ts';

export function serveAnnouncements(serve: Serve, app: App): void {
  serve(calls.currentAnnouncements, async (_input, caller) => ({
    announcements: await currentAnnouncements(app, caller?.userId ?? null),
  }));
  serve(calls.listAnnouncements, async () => ({ announcements: await listAnnouncements(app) }));
  serve(calls.announce, (input, caller) => publishAnnouncement(app, caller.userId, input));
  serve(calls.endAnnouncement, (input, caller) => takeDownAnnouncement(app, caller.userId, input.id));
}
