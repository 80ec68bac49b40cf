import type { App } from '../../app-type.ts';
import type { ContactsService } from '../contacts/service.ts';
import type { GeoService } from '../geo/service.ts';
import type { PicturesService } from '../pictures/service.ts';
import type { LineBatches } from './lines/line-batches.ts';
import type { MarkBatches } from './mark-batches.ts';
import type { MemberMemory } from './members.ts';

/** What the commands of this feature use. */
export interface ChatContext {
  platform: App;
  pictures: PicturesService;
  lines: LineBatches;
  marks: MarkBatches;
  members: MemberMemory;
  contacts: Pick<ContactsService, 'keepReport'>;
  geo: Pick<GeoService, 'approximate'>;
}
