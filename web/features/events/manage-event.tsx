import { Link, useNavigate } from '@tanstack/react-router';
import { CalendarX, Code, Pencil, QrCode, Share2, Waypoints } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { cancelEvent, type EventDetail } from '#contract/events/endpoints.ts';
import { useAction } from '../../core/queries.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { List, ListRow, RowContent, rowVariants, Section } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';
import { editEvent } from './event-draft.ts';
import { EmbedEvent, ShareEvent } from './share-event.tsx';
import { queryOfEvent } from './with-event.tsx';

type Dialog = 'share' | 'embed' | 'cancel';

/** What an organizer does with their event. */
export function ManageEvent({ event }: { event: EventDetail }) {
  const { t } = useTranslation('events');
  const [open, setOpen] = useState<Dialog | null>(null);
  const shows = (what: Dialog) => ({
    open: open === what,
    onOpenChange: (on: boolean) => setOpen(on ? what : null),
  });
  const cancel = useAction(cancelEvent, {
    invalidates: ['/event/'],
    onDone: () => {
      setOpen(null);
      toast.done(t('manage.cancelDone'));
    },
  });
  const { id } = event;
  return (
    <Section title={t('manage.title')}>
      <Deeds event={event} onOpen={setOpen} />
      <ShareEvent event={event} {...shows('share')} />
      <EmbedEvent event={event} {...shows('embed')} />
      <Confirm
        {...shows('cancel')}
        title={t('manage.cancelTitle')}
        text={t('manage.cancelText')}
        confirmLabel={t('manage.cancelNow')}
        cancelLabel={t('manage.keep')}
        tone="danger"
        busy={cancel.busy}
        onConfirm={() => cancel.run({ id })}
      />
    </Section>
  );
}

function Deeds({ event, onOpen }: { event: EventDetail; onOpen: (dialog: Dialog) => void }) {
  const { t } = useTranslation('events');
  const navigate = useNavigate();
  const { id } = event;
  const query = queryOfEvent(event);
  return (
    <List label={t('manage.title')}>
      <li>
        <Link to="/pages/events/plan" search={{ id }} className={rowVariants}>
          <RowContent
            leading={<Waypoints aria-hidden className="size-5 text-brand-ink" />}
            title={t('manage.plan')}
            chevron
          />
        </Link>
      </li>
      <ListRow
        leading={<Share2 aria-hidden className="size-5" />}
        title={t('manage.share')}
        chevron
        onClick={() => onOpen('share')}
      />
      <li>
        <Link to="/pages/events/poster" search={query} className={rowVariants}>
          <RowContent
            leading={<QrCode aria-hidden className="size-5" />}
            title={t('manage.poster')}
            chevron
          />
        </Link>
      </li>
      <ListRow
        leading={<Code aria-hidden className="size-5" />}
        title={t('manage.embed')}
        chevron
        onClick={() => onOpen('embed')}
      />
      <ListRow
        leading={<Pencil aria-hidden className="size-5" />}
        title={t('manage.edit')}
        chevron
        onClick={() => {
          editEvent(event);
          void navigate({ to: '/pages/events/edit', search: { id } });
        }}
      />
      <ListRow
        leading={<CalendarX aria-hidden className="size-5" />}
        title={t('manage.cancel')}
        danger
        onClick={() => onOpen('cancel')}
      />
    </List>
  );
}
