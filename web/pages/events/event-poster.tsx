import { longDateAndTime } from '#contract/formats/times.ts';
import { Printer } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EventDetail } from '#contract/events/endpoints.ts';
import { i18n, loadWords } from '../../core/i18n.ts';
import { languages, type Language } from '../../core/preferred-language.ts';
import { usePageTitle } from '../../core/navigation.ts';
import { eventLink } from '../../features/events/share-event.tsx';
import { WithEvent } from '../../features/events/with-event.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { Button } from '../../ui/button.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';

/** A poster to print: what, when and where in both languages, and the code that opens the event. */
export function Page() {
  return <WithEvent>{(event) => <Poster event={event} />}</WithEvent>;
}

function Poster({ event }: { event: EventDetail }) {
  const { t } = useTranslation('events');
  const title = usePageTitle();
  const loaded = useBothLanguages();
  const link = eventLink(event);
  return (
    <PageLayout
      title={title}
      back
      wide
      action={
        <Button full icon={<Printer aria-hidden className="size-5" />} onClick={() => window.print()}>
          {t('poster.print')}
        </Button>
      }
    >
      <article className="poster mx-auto flex w-full max-w-[620px] flex-col items-center gap-6 rounded-control border border-line bg-surface px-6 py-10 text-center">
        {event.picture !== '' && (
          <img src={event.picture} alt="" className="max-h-56 w-full rounded-control object-cover" />
        )}
        <h2 className="text-[2rem] leading-tight font-semibold break-words">{event.name}</h2>
        <QrCode value={link} size={260} title={t('poster.scan')} />
        {loaded && languages.map((language) => <Lines key={language} event={event} language={language} />)}
        <p className="text-lead font-semibold break-words">{event.place.name}</p>
        <a href={link} className="text-small break-all text-ink-2 underline underline-offset-4">
          {t('poster.link', { link })}
        </a>
      </article>
    </PageLayout>
  );
}

function Lines({ event, language }: { event: EventDetail; language: Language }) {
  const say = i18n.getFixedT(language, 'events');
  return (
    <p lang={language === 'zh' ? 'zh-CN' : 'en'} className="flex flex-col gap-1">
      <span className="text-heading">{say('poster.scan')}</span>
      <span className="text-body text-ink-2">{say('poster.free')}</span>
      <span className="figures text-body font-semibold">
        {longDateAndTime(event.startsAt, event.timeZone, language, true)}
      </span>
    </p>
  );
}

/** Whether the words of all languages are there: the app reads only those of its own. */
function useBothLanguages(): boolean {
  const [loaded, setLoaded] = useState(false);
  useEffect(() => {
    void Promise.all(languages.map((language) => loadWords(['events'], language))).then(() =>
      setLoaded(true),
    );
  }, []);
  return loaded;
}
