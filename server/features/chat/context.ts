import type { Platform } from '../../platform/platform.ts';
import type { ContactsService } from '../contacts/service.ts';
import type { GeoService } from '../geo/service.ts';
import type { IdentityService } from '../identity/service.ts';
import type { PicturesService } from '../pictures/service.ts';
import type { LineBatches } from './lines/line-batches.ts';
import type { MarkBatches } from './mark-batches.ts';
import type { MemberMemory } from './members.ts';

/** What the commands of this feature use. */
export interface ChatContext {
  platform: Platform;
  identity: IdentityService;
  pictures: PicturesService;
  lines: LineBatches;
  marks: MarkBatches;
  members: MemberMemory;
  contacts: Pick<ContactsService, 'keepReport'>;
  geo: Pick<GeoService, 'approximate'>;
}
