import { Link } from '@tanstack/react-router';
import { Trans, useTranslation } from 'react-i18next';
import type { OutputOf } from '#contract/define.ts';
import {
  emailsAlways,
  alwaysEmailed,
  nearbyMetres,
  nearbyOrders,
  notificationChannels,
  notificationChoices,
  readSettings,
  saveSettings,
  type NotificationChoices,
  type NotificationKind,
} from '#contract/notifications/endpoints.ts';
import { phoneText } from '../../domain/person/phone-text.ts';
import { deviceZone } from '../../core/device-zone.ts';
import { dropDraft, useDraft } from '../../core/drafts.ts';
import { errorWords, Refused } from '../../core/errors.ts';
import { useAction } from '../../core/queries.ts';
import { useFormat } from '../../core/use-format.ts';
import { Button, buttonVariants } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { RadioList, SegmentedControl } from '../../ui/choices.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/inputs.tsx';
import { Banner, Card, Section } from '../../ui/surfaces.tsx';
import { Switch } from '../../ui/switch.tsx';
import { toast } from '../../ui/toasts.tsx';

type Settings = OutputOf<typeof readSettings>;

const draft = 'notificationSettings';

/** What reaches me outside the app, how, and when not; saved as one. */
export function NotificationForm({
  settings,
  saved: places,
}: {
  settings: Settings;
  /** Which of the places that notifications can be near to are saved. */
  saved: { home: boolean; work: boolean; other: boolean };
}) {
  const { t } = useTranslation(['settings', 'common']);
  const [choices, setChoices] = useDraft(draft, inOwnZone(settings), notificationChoices);
  const save = useAction(saveSettings, {
    invalidates: ['/notification/', '/user/'],
    onDone: () => {
      dropDraft(draft);
      toast.done(t('settings:notifications.saved'));
    },
    // The form says it itself, whatever went wrong.
    onRefused: () => true,
  });
  const change = (part: Partial<NotificationChoices>) => setChoices({ ...choices, ...part });
  const changed = JSON.stringify(choices) !== JSON.stringify(settings.choices);
  return (
    <form
      noValidate
      className="flex flex-col gap-6"
      onSubmit={(event) => {
        event.preventDefault();
        save.run(choices);
      }}
    >
      <Consent settings={settings} agreed={choices.agreed} onChange={(agreed) => change({ agreed })} />
      <Kinds
        settings={settings}
        agreed={choices.agreed}
        kinds={choices.kinds}
        onChange={(kinds) => change({ kinds })}
      />
      {choices.agreed && (
        <Card className="py-1">
          <Switch
            label={t('settings:notifications.besidePush')}
            detail={t('settings:notifications.besidePushText')}
            checked={choices.emailsBesidePush}
            onChange={(emailsBesidePush) => change({ emailsBesidePush })}
          />
        </Card>
      )}
      <Quiet quiet={choices.quietHours} onChange={(quietHours) => change({ quietHours })} />
      <Nearby
        location={choices.location}
        places={places}
        onChange={(location) => change({ location, kinds: withNearby(choices.kinds, location) })}
      />
      {save.error !== null && (
        <div role="alert">
          <Banner kind="danger">
            {save.error instanceof Refused && save.error.reason === 'notification.phoneUnverified'
              ? errorWords(save.error)
              : t('settings:notifications.saveFailed')}
          </Banner>
        </div>
      )}
      <Button type="submit" full busy={save.busy} disabled={!changed}>
        {t('settings:notifications.save')}
      </Button>
    </form>
  );
}

/** Quiet hours that no one has switched on yet are meant in the zone the person is in. */
function inOwnZone({ choices }: Settings): NotificationChoices {
  if (choices.quietHours.on) return choices;
  return { ...choices, quietHours: { ...choices.quietHours, timeZone: deviceZone() } };
}

/**
 * A person who asks for notifications near a place wants them to arrive, unless they have chosen a channel.
 */
function withNearby(
  kinds: NotificationChoices['kinds'],
  { nearHome, nearWork, nearOther }: NotificationChoices['location'],
): NotificationChoices['kinds'] {
  const { push, email, sms } = kinds.nearby;
  return (nearHome || nearWork || nearOther) && !push && !email && !sms
    ? { ...kinds, nearby: { push: true, email: true, sms } }
    : kinds;
}

function Consent({
  settings: { consent },
  agreed,
  onChange,
}: {
  settings: Settings;
  agreed: boolean;
  onChange: (agreed: boolean) => void;
}) {
  const { t } = useTranslation('settings');
  const format = useFormat();
  const when = consent === null ? '' : format.longDateAndTime(consent.at);
  const sentence =
    consent === null
      ? 'notifications.read'
      : consent.given
        ? 'notifications.agreedAt'
        : 'notifications.takenBackAt';
  return (
    <div className="flex flex-col gap-2">
      <Card className="py-1">
        <Switch
          label={t('notifications.agree')}
          detail={t('notifications.agreeText')}
          checked={agreed}
          onChange={onChange}
        />
      </Card>
      <p className="text-small text-ink-2">
        <Trans
          t={t}
          i18nKey={sentence}
          values={{ when, version: consent?.version ?? '' }}
          components={{
            optin: (
              <Link
                to="/pages/legal/optin"
                className="font-semibold text-brand-ink underline underline-offset-2"
              />
            ),
          }}
        />
      </p>
    </div>
  );
}

/** The kinds as people think of them; each is in one group. */
const groups = [
  { group: 'agree', kinds: ['ask', 'answer', 'invitation', 'joined', 'change'] },
  { group: 'day', kinds: ['reminder', 'onTheWay', 'reached'] },
  { group: 'money', kinds: ['paymentNeeded', 'receipt'] },
  { group: 'people', kinds: ['chat', 'contact', 'event', 'review'] },
  { group: 'around', kinds: ['alert', 'nearby'] },
  { group: 'account', kinds: ['license', 'support'] },
] as const satisfies { group: string; kinds: readonly NotificationKind[] }[];

const isAlwaysByEmail = (kind: NotificationKind) => [...alwaysEmailed, ...emailsAlways].includes(kind);

function Kinds({
  settings: { phone, email },
  agreed,
  kinds,
  onChange,
}: {
  settings: Settings;
  agreed: boolean;
  kinds: NotificationChoices['kinds'];
  onChange: (kinds: NotificationChoices['kinds']) => void;
}) {
  const { t } = useTranslation('settings');
  const choose = (kind: NotificationKind, part: Partial<NotificationChoices['kinds'][NotificationKind]>) =>
    onChange({ ...kinds, [kind]: { ...kinds[kind], ...part } });
  // Emails and texts are chosen where they have been agreed to; what an alert finds was asked for with the
  // alert.
  const channelsOf = (kind: NotificationKind) =>
    notificationChannels.filter((channel) =>
      channel === 'push'
        ? true
        : channel === 'email'
          ? (agreed || kind === 'alert') && !isAlwaysByEmail(kind)
          : agreed,
    );
  return (
    <Section title={t('notifications.kinds')}>
      {groups.map(({ group, kinds: those }) => (
        <div key={group} className="flex flex-col gap-2">
          <h3 className="text-small font-semibold text-ink-2">{t(`notifications.group.${group}`)}</h3>
          <Card className="divide-y divide-line py-1">
            {those.map((kind) => (
              <div key={kind} className="flex flex-wrap items-center justify-between gap-x-6 py-1">
                <span className="min-w-[60%] flex-1 py-2 text-lead">{t(`notifications.kind.${kind}`)}</span>
                <span className="flex flex-wrap gap-x-6">
                  {channelsOf(kind).map((channel) => (
                    <Checkbox
                      key={channel}
                      label={t(`notifications.channels.${channel}`)}
                      fullLabel={t('notifications.kindBy', {
                        kind: t(`notifications.kind.${kind}`),
                        channel: t(`notifications.channels.${channel}`),
                      })}
                      checked={kinds[kind][channel]}
                      disabled={channel === 'sms' && phone === '' && !kinds[kind].sms}
                      onChange={(on) => choose(kind, { [channel]: on })}
                    />
                  ))}
                </span>
                {isAlwaysByEmail(kind) && (
                  <span className="w-full pb-2 text-small text-ink-3">{t('notifications.letterAlways')}</span>
                )}
              </div>
            ))}
          </Card>
        </div>
      ))}
      {agreed && (
        <p className="text-small break-words text-ink-2">
          {t('notifications.to', { email })}{' '}
          {phone === '' ? t('notifications.noPhone') : t('notifications.smsTo', { phone: phoneText(phone) })}
        </p>
      )}
      {agreed && phone === '' && (
        <Link to="/pages/account/updatephone" className={buttonVariants({ tone: 'quiet', small: true })}>
          {t('notifications.verify')}
        </Link>
      )}
    </Section>
  );
}

function Quiet({
  quiet,
  onChange,
}: {
  quiet: NotificationChoices['quietHours'];
  onChange: (quiet: NotificationChoices['quietHours']) => void;
}) {
  const { t } = useTranslation('settings');
  const time = (name: 'from' | 'to', label: string) => (
    <Field label={label} className="flex-1">
      <TextInput
        type="time"
        required
        value={quiet[name]}
        onChange={(event) => {
          if (event.target.value !== '') onChange({ ...quiet, [name]: event.target.value });
        }}
      />
    </Field>
  );
  return (
    <Section title={t('notifications.quiet')}>
      <Card className="flex flex-col gap-3 py-1 pb-3">
        <Switch
          label={t('notifications.quietOn')}
          detail={t('notifications.quietText')}
          checked={quiet.on}
          onChange={(on) => onChange({ ...quiet, on })}
        />
        {quiet.on && (
          <>
            <div className="flex gap-3 *:min-w-0">
              {time('from', t('notifications.from'))}
              {time('to', t('notifications.until'))}
            </div>
            <p className="text-small text-ink-3">
              {t('notifications.zone', { zone: quiet.timeZone.replaceAll('_', ' ') })}
            </p>
          </>
        )}
      </Card>
    </Section>
  );
}

const ofWords = { both: 'ofBoth', rides: 'ofRides', requests: 'ofRequests' } as const;

function Nearby({
  location,
  places,
  onChange,
}: {
  location: NotificationChoices['location'];
  places: { home: boolean; work: boolean; other: boolean };
  onChange: (location: NotificationChoices['location']) => void;
}) {
  const { t } = useTranslation('settings');
  const format = useFormat();
  return (
    <Section title={t('notifications.location')}>
      <p className="text-body text-ink-2">{t('notifications.locationText')}</p>
      <Card className="divide-y divide-line py-1">
        <Switch
          label={t('notifications.nearHome')}
          detail={!places.home && t('notifications.noHome')}
          checked={location.nearHome}
          disabled={!places.home && !location.nearHome}
          onChange={(nearHome) => onChange({ ...location, nearHome })}
        />
        <Switch
          label={t('notifications.nearWork')}
          detail={!places.work && t('notifications.noWork')}
          checked={location.nearWork}
          disabled={!places.work && !location.nearWork}
          onChange={(nearWork) => onChange({ ...location, nearWork })}
        />
        <Switch
          label={t('notifications.nearOther')}
          detail={!places.other && t('notifications.noOther')}
          checked={location.nearOther}
          disabled={!places.other && !location.nearOther}
          onChange={(nearOther) => onChange({ ...location, nearOther })}
        />
      </Card>
      {!(places.home && places.work) && (
        <Link to="/pages/address/shortcut" className={buttonVariants({ tone: 'quiet', small: true })}>
          {t('notifications.shortcuts')}
        </Link>
      )}
      {(location.nearHome || location.nearWork || location.nearOther) && (
        <Card className="flex flex-col gap-2 py-2">
          <SegmentedControl
            label={t('notifications.of')}
            options={nearbyOrders.map((value) => ({ value, label: t(`notifications.${ofWords[value]}`) }))}
            value={location.of}
            onChange={(of) => onChange({ ...location, of })}
          />
          <RadioList
            label={t('notifications.within')}
            options={nearbyMetres.map((metres) => ({
              value: String(metres),
              label: t('notifications.miles', { distance: format.distance(metres) }),
            }))}
            value={String(location.withinMetres)}
            onChange={(metres) =>
              onChange({
                ...location,
                withinMetres: nearbyMetres.find((each) => String(each) === metres) ?? location.withinMetres,
              })
            }
          />
        </Card>
      )}
    </Section>
  );
}
