import * as calls from '#contract/announcements/endpoints.ts';
import type { Serve } from '../../../app-type.ts';
import {
  currentAnnouncements,
  listAnnouncements,
  publishAnnouncement,
  takeDownAnnouncement,
} from './announce.ts';

export function serveAnnouncements(serve: Serve): void {
  serve(calls.currentAnnouncements, async (app, _input, caller) => ({
    announcements: await currentAnnouncements(app, caller?.userId ?? null),
  }));
  serve(calls.listAnnouncements, async (app) => ({ announcements: await listAnnouncements(app) }));
  serve(calls.announce, (app, input, caller) => publishAnnouncement(app, caller.userId, input));
  serve(calls.endAnnouncement, (app, input, caller) => takeDownAnnouncement(app, caller.userId, input.id));
}
