import { Megaphone, X } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { currentAnnouncements, type ShownAnnouncement } from '#contract/announcements/endpoints.ts';
import { currentLanguage } from '../core/i18n.ts';
import { useCall } from '../core/queries.ts';
import { stored } from '../core/stored.ts';

const readAgainMs = 5 * 60_000;
const mostRemembered = 50;

/** Announcements closed on this device, the latest last. */
const closed = stored('closedAnnouncements', (raw): readonly string[] =>
  Array.isArray(raw) ? raw.filter((each) => typeof each === 'string') : [],
);

/** The current announcements, each until it is closed on this device. */
export function AnnouncementBars() {
  const { data } = useCall(
    currentAnnouncements,
    {},
    { quiet: true, staleTime: readAgainMs, refetchInterval: readAgainMs },
  );
  const gone = useSyncExternalStore(closed.subscribe, closed.read);
  const shown = data?.announcements.filter(({ id }) => !gone.includes(id)) ?? [];
  return shown.map((announcement) => <Bar key={announcement.id} announcement={announcement} />);
}

function Bar({ announcement: { id, title, text } }: { announcement: ShownAnnouncement }) {
  const { t } = useTranslation();
  const language = currentLanguage();
  const close = () => closed.write([...closed.read(), id].slice(-mostRemembered));
  return (
    <section
      aria-label={t('announcement.label')}
      className="strip flex shrink-0 animate-fade items-start gap-3 border-b border-line bg-brand-soft py-2 pr-1 pl-4 text-brand-ink"
    >
      <Megaphone aria-hidden className="mt-1 size-5 shrink-0" />
      <div className="max-h-[30vh] min-w-0 flex-1 overflow-y-auto py-0.5">
        <h2 className="text-body font-semibold break-words">{title[language]}</h2>
        <p className="text-small break-words whitespace-pre-line">{text[language]}</p>
      </div>
      <button
        type="button"
        aria-label={t('announcement.close')}
        className="grid size-11 shrink-0 place-items-center rounded-control focus-visible:-outline-offset-3"
        onClick={close}
      >
        <X aria-hidden className="size-5" />
      </button>
    </section>
  );
}
