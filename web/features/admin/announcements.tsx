import { Megaphone } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  announce,
  announcementTextLength,
  announcementTitleLength,
  endAnnouncement,
  listAnnouncements,
  type Announcement,
} from '#contract/announcements/endpoints.ts';
import { currentLanguage } from '../../core/i18n.ts';
import { useAction, useCall } from '../../core/queries.ts';
import { QueryView } from '../../core/query-view.tsx';
import { useFormat } from '../../core/use-format.ts';
import { instantOf } from '../../core/zoned-time.ts';
import { Button } from '../../ui/button.tsx';
import { SegmentedControl } from '../../ui/choices.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { DateTimeField, TextArea, TextInput } from '../../ui/inputs.tsx';
import { Card, EmptyState } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';

/** The announcements, and a form for new ones. Times are in the region's zone. */
export function Announcements({ timeZone }: { timeZone: string }) {
  const { t } = useTranslation('admin');
  const read = useCall(listAnnouncements, {});
  const [writes, setWrites] = useState(false);
  return (
    <div className="flex flex-col gap-4">
      <Button onClick={() => setWrites(true)}>{t('announcements.new')}</Button>
      <QueryView
        query={read}
        skeleton={{ rows: 3 }}
        isEmpty={({ announcements }) => announcements.length === 0}
        empty={
          <EmptyState
            icon={<Megaphone />}
            title={t('announcements.none')}
            text={t('announcements.noneText')}
          />
        }
      >
        {({ announcements }) => (
          <ul className="flex flex-col gap-3">
            {announcements.map((each) => (
              <li key={each.id}>
                <AnnouncementCard announcement={each} timeZone={timeZone} />
              </li>
            ))}
          </ul>
        )}
      </QueryView>
      {writes && <AnnounceDialog timeZone={timeZone} onClose={() => setWrites(false)} />}
    </div>
  );
}

function AnnouncementCard({ announcement, timeZone }: { announcement: Announcement; timeZone: string }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const end = useAction(endAnnouncement, {
    invalidates: ['/admin/', '/announcement/'],
    onDone: () => toast.done(t('announcements.ended')),
  });
  const { id, title, text, fromAt, untilAt, community, state } = announcement;
  const language = currentLanguage();
  return (
    <Card className="flex flex-col items-start gap-2">
      <h2 className="text-lead break-words">{title[language]}</h2>
      <p className="text-body break-words whitespace-pre-line text-ink-2">{text[language]}</p>
      <p className="text-small break-words text-ink-3">
        {t(`announcements.states.${state}`)}
        {' · '}
        {t('announcements.when', {
          from: format.when(fromAt, timeZone),
          until: format.whenInSentence(untilAt, timeZone),
        })}
        {' · '}
        {community === '' ? t('announcements.everyone') : community}
      </p>
      {state !== 'over' && (
        <Button tone="quiet" small busy={end.busy} onClick={() => end.run({ id })}>
          {t('announcements.end')}
        </Button>
      )}
    </Card>
  );
}

const empty = {
  titleEn: '',
  titleZh: '',
  textEn: '',
  textZh: '',
  from: '',
  until: '',
  audience: 'everyone' as 'everyone' | 'domain',
  domain: '',
};

function AnnounceDialog({ timeZone, onClose }: { timeZone: string; onClose: () => void }) {
  const { t } = useTranslation(['admin', 'common']);
  const [form, setForm] = useState(empty);
  const set = (fields: Partial<typeof empty>) => setForm((before) => ({ ...before, ...fields }));
  const send = useAction(announce, {
    invalidates: ['/admin/', '/announcement/'],
    onDone: () => {
      onClose();
      toast.done(t('admin:announcements.made'));
    },
    // The form shows errors at their fields.
    onRefused: ({ reason }) => reason === 'input.invalid' || reason.startsWith('announcement.'),
  });
  const publish = () =>
    send.run({
      title: { en: form.titleEn, zh: form.titleZh },
      text: { en: form.textEn, zh: form.textZh },
      fromAt: instantOf(form.from, timeZone),
      untilAt: instantOf(form.until, timeZone) ?? '',
      community: form.audience === 'everyone' ? '' : form.domain,
    });
  const { fields } = send;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('admin:announcements.new')}
      description={t('admin:announcements.times', { zone: timeZone })}
      closeLabel={t('common:close')}
      action={
        <Button full busy={send.busy} onClick={publish}>
          {t('admin:announcements.publish')}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <Words form={form} set={set} fields={fields} />
        <Field
          label={t('admin:announcements.from')}
          note={t('common:optional')}
          hint={t('admin:announcements.fromHint')}
          error={fields['fromAt']}
        >
          <DateTimeField zone="" value={form.from} onChange={(from) => set({ from })} />
        </Field>
        <Field label={t('admin:announcements.until')} error={fields['untilAt']}>
          <DateTimeField zone="" value={form.until} onChange={(until) => set({ until })} />
        </Field>
        <SegmentedControl
          label={t('admin:announcements.community')}
          options={(['everyone', 'domain'] as const).map((value) => ({
            value,
            label: t(`admin:announcements.${value}`),
          }))}
          value={form.audience}
          onChange={(audience) => set({ audience })}
        />
        {form.audience === 'domain' && (
          <Field
            label={t('admin:announcements.domainName')}
            hint={t('admin:announcements.domainHint')}
            error={fields['community']}
          >
            <TextInput value={form.domain} onChange={(event) => set({ domain: event.target.value })} />
          </Field>
        )}
      </div>
    </Dialog>
  );
}

interface WordsProps {
  form: typeof empty;
  set: (fields: Partial<typeof empty>) => void;
  fields: Record<string, string>;
}

function Words({ form, set, fields }: WordsProps) {
  const { t } = useTranslation('admin');
  return (
    <>
      {(['en', 'zh'] as const).map((language) => {
        const [title, text] =
          language === 'en' ? (['titleEn', 'textEn'] as const) : (['titleZh', 'textZh'] as const);
        return (
          <div key={language} className="flex flex-col gap-4" lang={language === 'zh' ? 'zh-CN' : 'en'}>
            <Field label={t(`announcements.${title}`)} error={fields[`title.${language}`]}>
              <TextInput
                value={form[title]}
                maxLength={announcementTitleLength}
                onChange={(event) => set({ [title]: event.target.value })}
              />
            </Field>
            <Field label={t(`announcements.${text}`)} error={fields[`text.${language}`]}>
              <TextArea
                rows={3}
                value={form[text]}
                maxLength={announcementTextLength}
                onChange={(event) => set({ [text]: event.target.value })}
              />
            </Field>
          </div>
        );
      })}
    </>
  );
}
