import { Copy, Download } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Message } from '#contract/chat/endpoints.ts';
import type { Place } from '#contract/units.ts';
import { copyText } from '../../core/copy.ts';
import { useFormat } from '../../core/use-format.ts';
import { MapView } from '../../map/map-view.tsx';
import type { LonLat, MapPin } from '../../map/shapes.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { List, ListRow, RowContent, rowVariants } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';

const streetZoom = 16;

/** One message, large, with what one can do with it: copy, view, hand a place over, and about its writer. */
export function MessageSheet({
  message,
  name,
  timeZone,
  onClose,
  children,
}: {
  /** Null while none is open. */
  message: Message | null;
  /** Who wrote it. */
  name: string;
  timeZone: string;
  onClose: () => void;
  /** What one can do about the place it shows, or about who wrote it. */
  children?: ReactNode;
}) {
  const { t } = useTranslation(['chat', 'common']);
  const format = useFormat();
  const words = message?.kind === 'place' ? addressOf(message.place) : (message?.text ?? '');
  const copy = async () => {
    if (await copyText(words)) toast.done(t('chat:copied'));
    else toast.error(t('chat:notCopied'));
    onClose();
  };
  return (
    <Dialog
      open={message !== null}
      onOpenChange={onClose}
      title={name}
      description={
        message && `${format.day(message.at, timeZone)}, ${format.timeOfDay(message.at, timeZone)}`
      }
      closeLabel={t('common:close')}
    >
      {message && (
        <div className="flex flex-col gap-4">
          <Whole message={message} name={name} />
          <List label={t('chat:actions')}>
            {words !== '' && (
              <ListRow
                leading={<Copy aria-hidden className="text-ink-2" />}
                title={t(message.kind === 'place' ? 'chat:copyAddress' : 'chat:copy')}
                onClick={() => void copy()}
              />
            )}
            {message.picture && (
              <li>
                <a href={message.picture.url} download className={rowVariants}>
                  <RowContent
                    leading={<Download aria-hidden className="text-ink-2" />}
                    title={t('chat:savePicture')}
                  />
                </a>
              </li>
            )}
          </List>
          {children}
        </div>
      )}
    </Dialog>
  );
}

const addressOf = (place: Place | null): string =>
  place === null ? '' : [place.name, place.detail].filter((part) => part !== '').join(', ');

function Whole({ message, name }: { message: Message; name: string }) {
  const { t } = useTranslation('chat');
  const { picture, place } = message;
  if (picture !== null) {
    return (
      <img
        src={picture.url}
        alt={t('pictureOf', { name })}
        className="max-h-[55dvh] w-full rounded-small bg-page object-contain"
      />
    );
  }
  if (place !== null) return <PlaceMap place={place} />;
  return (
    <p className="max-h-48 overflow-y-auto rounded-control bg-page px-3.5 py-2.5 text-body break-words whitespace-pre-wrap">
      {message.text}
    </p>
  );
}

function PlaceMap({ place }: { place: Place }) {
  const { t } = useTranslation('common');
  const { name, detail, lon, lat } = place;
  const center = useMemo((): LonLat => [lon, lat], [lon, lat]);
  const pins = useMemo(
    (): MapPin[] => [{ id: 'shared', lon, lat, kind: 'destination', letter: '•', label: name }],
    [lon, lat, name],
  );
  return (
    <div className="flex flex-col gap-2">
      <div className="relative h-56 overflow-hidden rounded-control shadow-card">
        <MapView label={t('map.label')} center={center} zoom={streetZoom} pins={pins} />
      </div>
      <p className="text-lead">{name}</p>
      {detail !== '' && <p className="text-body text-ink-2">{detail}</p>}
    </div>
  );
}
