import {
  announce,
  currentAnnouncements,
  endAnnouncement,
  listAnnouncements,
} from '#contract/announcements/endpoints.ts';
import type { Serve } from '../../../platform/http/http-server.ts';
import type { AnnouncementsService } from './service.ts';

export function serveAnnouncements(serve: Serve, announcements: AnnouncementsService): void {
  serve(currentAnnouncements, async (_input, caller) => ({
    announcements: await announcements.current(caller?.userId ?? null),
  }));
  serve(listAnnouncements, async () => ({ announcements: await announcements.list() }));
  serve(announce, (input, caller) => announcements.announce(caller.userId, input));
  serve(endAnnouncement, (input, caller) => announcements.end(caller.userId, input.id));
}
