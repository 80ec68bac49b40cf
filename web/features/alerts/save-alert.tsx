import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { BellPlus, BellRing } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { createAlert } from '#contract/alerts/endpoints.ts';
import { dropDraft } from '../../core/drafts.ts';
import { keepTap, useKeptTap } from '../../core/kept-tap.ts';
import { useAction } from '../../core/queries.ts';
import { useSession } from '../../core/use-session.ts';
import { Button, buttonVariants } from '../../ui/button.tsx';
import { Card } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';
import type { AlertInput, OnceAlert } from './alert-input.ts';
import { useTimesWords } from './times-words.ts';
import { WeeklyDialog, weeklyDraft } from './weekly-dialog.tsx';

interface Searched {
  alert: OnceAlert;
  timeZone: string;
  /** Drawn below, once it is saved. */
  saved?: ReactNode;
}

/** Where a search finds few or none: one tap keeps looking for the same, another makes it weekly. */
export function SaveAlert({ alert, timeZone, saved }: Searched) {
  const { t } = useTranslation('alerts');
  const [weekly, setWeekly] = useState(false);
  const written = JSON.stringify(alert);
  const [savedAs, setSavedAs] = useState<string | null>(null);
  const done = () => {
    setSavedAs(written);
    setWeekly(false);
  };
  const save = useAction(createAlert, {
    invalidates: ['/alert/'],
    onDone: () => {
      dropDraft(weeklyDraft(alert));
      done();
      toast.done(t('save.saved'));
    },
    onRefused: (refused) => {
      // It exists already, which is what was wanted; its sentence still says so.
      if (refused.reason === 'alert.duplicate') done();
      return false;
    },
  });
  const tapped = useSignedInTap(written, {
    once: () => save.run({ alert }),
    weekly: () => setWeekly(true),
  });

  if (savedAs === written)
    return (
      <>
        <Saved />
        {saved}
      </>
    );
  return (
    <Card>
      <section aria-labelledby="save-alert" className="flex flex-col gap-3">
        <Offer alert={alert} timeZone={timeZone} />
        <div className="flex gap-2">
          <Button small className="flex-1" busy={save.busy && !weekly} onClick={() => tapped('once')}>
            {t('save.button')}
          </Button>
          <Button tone="quiet" small className="flex-1" onClick={() => tapped('weekly')}>
            {t('save.weekly')}
          </Button>
        </div>
      </section>
      {weekly && (
        <WeeklyDialog
          alert={alert}
          timeZone={timeZone}
          busy={save.busy}
          fields={save.fields}
          onClose={() => {
            setWeekly(false);
            save.reset();
          }}
          onSave={(made: AlertInput) => save.run({ alert: made })}
        />
      )}
    </Card>
  );
}

/** The buttons of an alert: a guest is led to sign in, and the one that they tapped goes on afterwards. */
function useSignedInTap(written: string, taps: Record<'once' | 'weekly', () => void>) {
  const { signedIn } = useSession();
  const navigate = useNavigate();
  const here = useLocation({ select: ({ href }) => href });
  useKeptTap('alert.', (rest) => {
    const which = rest.startsWith('weekly.') ? 'weekly' : 'once';
    const isThis = rest === `${which}.${written}`;
    if (isThis) taps[which]();
    return isThis;
  });
  return (which: keyof typeof taps): void => {
    if (signedIn) return taps[which]();
    keepTap(`alert.${which}.${written}`);
    return void navigate({ to: '/pages/auth/auth', search: { returnTo: here } });
  };
}

/** It is saved, and where to see it. */
function Saved() {
  const { t } = useTranslation('alerts');
  return (
    <Card className="flex flex-wrap items-center gap-3">
      <BellRing aria-hidden className="size-6 shrink-0 text-brand-ink" />
      <output className="min-w-0 flex-1">
        <span className="block text-body font-semibold">{t('save.saved')}</span>
        <span className="block text-small text-ink-2">{t('save.savedText')}</span>
      </output>
      <Link
        to="/pages/discover/discover"
        search={{ view: 'alerts' }}
        className={buttonVariants({ tone: 'quiet', small: true })}
      >
        {t('save.see')}
      </Link>
    </Card>
  );
}

/** What the alert would search for, in words. */
function Offer({ alert: { role, times }, timeZone }: { alert: OnceAlert; timeZone: string }) {
  const { t } = useTranslation('alerts');
  const words = useTimesWords();
  return (
    <div className="flex items-start gap-3">
      <BellPlus aria-hidden className="mt-0.5 size-6 shrink-0 text-brand-ink" />
      <div className="min-w-0">
        <h2 id="save-alert" className="text-lead">
          {t(`save.title.${role}`)}
        </h2>
        <p className="text-body text-ink-2">
          {t(`save.text.${role}`, { when: words(times, timeZone).when })}
        </p>
      </div>
    </div>
  );
}
