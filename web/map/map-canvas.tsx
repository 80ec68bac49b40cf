import { Minus, Plus } from 'lucide-react';
import type * as maplibre from 'maplibre-gl';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useConfig } from '../core/config.ts';
import { currentLanguage } from '../core/i18n.ts';
import { IconButton } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';
import { useDesktop } from '../ui/media.ts';
import { useCovered } from '../ui/sheet.tsx';
import { drawRoutes, leaveEngine, takeEngine, type Engine, type MapSources } from './engine.ts';
import { coverView } from './cover.ts';
import { farthestZoom, fitCamera, limitsAround, viewOf, type Camera, type ViewWindow } from './limits.ts';
import { middleAbovePx, ownMarker, pinMarker } from './pin-marker.ts';
import { spread } from './spread.ts';
import { boundsOf, type Bounds, type LonLat, type MapViewProps } from './shapes.ts';

const moveMs = 240;
const edgePx = 56;
/** A pin's tip is on its point; it rises this far above it. */
const pinPx = 46;
/** What floats over the top of a phone's map screen, and a pin. */
const topPx = 70 + pinPx;
/** Pins whose centers are this far apart can all be tapped. */
const pinApartPx = 40;
const closestZoom = 15.5;
/** Around a single place its neighborhood shows. */
const aroundPlaceZoom = 14;
/** A town and its neighbors. */
const regionZoom = 12;
const nowhere: [number, number] = [0, 0];

const isBounds = (fit: readonly LonLat[] | Bounds): fit is Bounds => typeof fit[0] === 'number';

/** The drawing itself; `MapView` loads it. */
export function MapCanvas(props: MapViewProps) {
  const { data: config, isError } = useConfig();
  // Without a configuration there are still pins and ways to show.
  if (!config && !isError) return null;
  const sources: MapSources = {
    tilesUrl: config?.tilesUrl ?? null,
    packs: config?.region.packs ?? [],
    language: currentLanguage(),
  };
  return (
    <Canvas
      key={JSON.stringify(sources)}
      {...props}
      sources={sources}
      region={config?.region.center ?? null}
    />
  );
}

function Canvas({
  label,
  still = false,
  center,
  zoom,
  fit,
  routes,
  pins,
  own,
  onPick,
  onPin,
  sources,
  region,
}: MapViewProps & { sources: MapSources; region: [number, number] | null }) {
  const { t } = useTranslation();
  const desktop = useDesktop();
  const covered = useCovered();
  const movedByHandRef = useRef(false);
  // Before all else, so that whatever moves the map tells the newest of them.
  const [pick, pin] = [useNewest(onPick), useNewest(onPin)];
  const { host, engine, drawing, widthPx } = useEngine(sources, region, movedByHandRef);
  useEffect(() => {
    engine?.map.getCanvas().setAttribute('aria-label', label);
  }, [engine, label]);

  useEffect(() => {
    if (!engine) return;
    engine.map.setPadding({ top: 0, left: 0, right: 0, bottom: covered });
  }, [engine, covered]);

  useView(engine, movedByHandRef, { fit, center, zoom, region, packs: sources.packs, covered, widthPx });

  useEffect(() => {
    if (engine && drawing) drawRoutes(engine.map, routes ?? []);
  }, [engine, drawing, routes]);

  usePins(engine, pins, pin, onPin !== undefined);
  useOwnMarker(engine, own);
  const picking = onPick !== undefined;
  usePick(engine, pick, picking);
  return (
    <div className="absolute inset-0 overflow-hidden bg-[#f1f2ee]">
      <div ref={host} className="absolute inset-0" />
      {picking && <CenterPin covered={covered} words={t('map.pick')} />}
      {!still && engine && <ZoomButtons map={engine.map} aboveSheetPx={desktop ? null : covered} />}
      <p
        className="absolute right-0 rounded-tl-small bg-white/80 px-1.5 text-[0.6875rem] leading-4 text-ink-2"
        style={{ bottom: covered === 0 ? 0 : covered + 4 }}
      >
        {t('map.attribution')}
      </p>
    </div>
  );
}

/** The engine in its place while this map is shown; the tiles are ready once it draws. */
function useEngine(sources: MapSources, region: [number, number] | null, movedByHandRef: RefObject<boolean>) {
  const host = useRef<HTMLDivElement>(null);
  const [engine, setEngine] = useState<Engine | null>(null);
  const [drawing, setDrawing] = useState(false);
  const [widthPx, setWidthPx] = useState(0);

  useEffect(() => {
    const home = host.current;
    if (!home) return undefined;
    const taken = takeEngine(sources, { center: region ?? nowhere, zoom: regionZoom });
    home.append(taken.element);
    taken.map.resize();
    setEngine(taken);
    setWidthPx(home.clientWidth);
    let here = true;
    void taken.ready.then(() => here && setDrawing(true));
    const watch = new ResizeObserver(() => {
      taken.map.resize();
      setWidthPx(home.clientWidth);
    });
    watch.observe(home);
    const note = ({ originalEvent }: { originalEvent?: unknown }) => {
      if (originalEvent !== undefined) movedByHandRef.current = true;
    };
    taken.map.on('movestart', note);
    return () => {
      here = false;
      watch.disconnect();
      taken.map.off('movestart', note);
      drawRoutes(taken.map, []);
      leaveEngine(taken);
      setEngine(null);
      setDrawing(false);
    };
    // The region and its tiles do not change while the app runs.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
  return { host, engine, drawing, widthPx };
}

/** Moves the camera to what is to be seen, and again when that or the space for it changes. */
function useView(
  engine: Engine | null,
  movedByHandRef: RefObject<boolean>,
  {
    fit,
    center,
    zoom,
    region,
    packs,
    covered,
    widthPx,
  }: Pick<MapViewProps, 'fit' | 'center' | 'zoom'> & {
    region: LonLat | null;
    packs: MapSources['packs'];
    covered: number;
    widthPx: number;
  },
): void {
  const fitKey = JSON.stringify([fit ?? null, center ?? null, zoom ?? null]);
  const looked = useRef<{ fitKey: string; covered: number; widthPx: number } | null>(null);
  useEffect(() => {
    if (!engine) return;
    const before = looked.current;
    const isSameView = before?.fitKey === fitKey;
    const isSameSheet = before?.covered === covered;
    if (isSameView && isSameSheet && before.widthPx === widthPx) return;
    looked.current = { fitKey, covered, widthPx };
    const { clientWidth, clientHeight } = engine.map.getContainer();
    const place = { widthPx: clientWidth, heightPx: clientHeight, coveredPx: covered };
    const camera = cameraOf({ fit, center, zoom, region, pack: packs[0]?.bounds ?? null }, place);
    if (camera === null) return;
    const [only, ...others] = packs;
    if (only && others.length === 0) {
      const window = { widthPx: clientWidth, heightPx: clientHeight - covered };
      const limits = limitsAround(only.mapBounds, viewOf(camera, window));
      engine.map.setMaxBounds([...limits]);
      // The limits alone hold the zoom too, but a step beyond it would move the map to their middle.
      engine.map.setMinZoom(farthestZoom(limits, window));
    }
    // A sheet that only changes its height must not pull the map away from where a person has moved it, nor
    // must a phone that is turned.
    if (isSameView && (!fit || (isSameSheet && movedByHandRef.current))) return;
    movedByHandRef.current = false;
    const isStill = before === null || matchMedia('(prefers-reduced-motion: reduce)').matches;
    const [lon, lat] = camera.center;
    engine.map.easeTo({ center: [lon, lat], zoom: camera.zoom, duration: isStill ? 0 : moveMs });
  }, [engine, fitKey, covered, widthPx, fit, center, zoom, region, packs, movedByHandRef]);
}

/** The value of the last render, for effects that must not run again because a function is another one. */
function useNewest<T>(value: T): RefObject<T> {
  const newest = useRef(value);
  useEffect(() => {
    newest.current = value;
  });
  return newest;
}

function usePins(
  engine: Engine | null,
  pins: MapViewProps['pins'],
  onPin: RefObject<MapViewProps['onPin']>,
  clickable: boolean,
): void {
  const { t } = useTranslation();
  useEffect(() => {
    if (!engine || !pins) return undefined;
    const markers = pins.map((each) =>
      pinMarker(
        each,
        t(`map.${each.kind}`, { label: each.label }),
        !clickable ? null : () => onPin.current?.(each.id),
      ).addTo(engine.map),
    );
    if (!clickable) return () => markers.forEach((marker) => marker.remove());
    // Pins that are buttons must be tapped one by one: those that would cover each other stand a little
    // apart.
    const apart = () => {
      const points = pins.map(({ lon, lat, kind }) => {
        const { x, y } = engine.map.project([lon, lat]);
        return { x, y: y - middleAbovePx(kind) };
      });
      for (const [index, { x, y }] of spread(points, pinApartPx).entries())
        markers[index]?.setOffset([x - (points[index]?.x ?? x), y - (points[index]?.y ?? y)]);
    };
    apart();
    engine.map.on('zoomend', apart);
    return () => {
      engine.map.off('zoomend', apart);
      for (const marker of markers) marker.remove();
    };
  }, [engine, pins, onPin, clickable, t]);
}

function useOwnMarker(engine: Engine | null, own: MapViewProps['own']): void {
  const { t } = useTranslation();
  const [ownLon, ownLat] = own ?? [null, null];
  useEffect(() => {
    if (!engine || ownLon === null || ownLat === null) return undefined;
    const marker = ownMarker([ownLon, ownLat], t('map.here')).addTo(engine.map);
    return () => {
      marker.remove();
    };
  }, [engine, ownLon, ownLat, t]);
}

/** Tells where the middle of the map is whenever it has moved. */
function usePick(engine: Engine | null, onPick: RefObject<MapViewProps['onPick']>, picking: boolean): void {
  useEffect(() => {
    if (!engine || !picking) return undefined;
    const { map } = engine;
    const tell = () => {
      const { lng, lat } = map.getCenter();
      onPick.current?.([lng, lat]);
    };
    map.on('moveend', tell);
    return () => {
      map.off('moveend', tell);
    };
  }, [engine, onPick, picking]);
}

/** At the top right of a desktop; on a phone above the sheet, within reach of the thumb. */
function ZoomButtons({ map, aboveSheetPx }: { map: maplibre.Map; aboveSheetPx: number | null }) {
  const { t } = useTranslation();
  return (
    <div
      className={classes('absolute flex flex-col gap-2', aboveSheetPx === null ? 'top-4 right-4' : 'left-3')}
      style={aboveSheetPx === null ? undefined : { bottom: aboveSheetPx + 12 }}
    >
      <IconButton floating label={t('map.zoomIn')} icon={<Plus aria-hidden />} onClick={() => map.zoomIn()} />
      <IconButton
        floating
        label={t('map.zoomOut')}
        icon={<Minus aria-hidden />}
        onClick={() => map.zoomOut()}
      />
    </div>
  );
}

/** The camera, in a map of a size whose lower part a sheet covers; null where there is nothing to see. */
function cameraOf(
  {
    fit,
    center,
    zoom,
    region,
    pack,
  }: Pick<MapViewProps, 'fit' | 'center' | 'zoom'> & { region: LonLat | null; pack: Bounds | null },
  { widthPx, heightPx, coveredPx }: ViewWindow & { coveredPx: number },
): Camera | null {
  const bounds = !fit || fit.length === 0 ? null : isBounds(fit) ? fit : boundsOf(fit);
  if (bounds !== null) {
    // A small picture of a way keeps most of its height for the way.
    const edge = Math.min(edgePx, heightPx * 0.2);
    const top = coveredPx > 0 ? topPx : Math.max(edge, pinPx);
    const isPoint = bounds[0] === bounds[2] && bounds[1] === bounds[3];
    return fitCamera(bounds, {
      window: { widthPx, heightPx: heightPx - coveredPx },
      padding: { top, right: edge, bottom: edge, left: edge },
      maxZoom: isPoint ? aroundPlaceZoom : closestZoom,
    });
  }
  if (center) return { center, zoom: zoom ?? aroundPlaceZoom };
  if (!region) return null;
  if (zoom !== undefined || pack === null) return { center: region, zoom: zoom ?? regionZoom };
  // A sheet pushes the middle up by half of its height; what it covers may be uncovered.
  const abovePx = (heightPx - coveredPx) / 2;
  return coverView(pack, region, { widthPx, abovePx, belowPx: heightPx - abovePx });
}

/** In the middle of the visible part of the map; the map moves under it. */
function CenterPin({ covered, words }: { covered: number; words: string }) {
  return (
    <div
      className="pointer-events-none absolute inset-x-0 top-0 grid place-items-center"
      style={{ bottom: covered }}
    >
      <svg
        role="img"
        aria-label={words}
        width="40"
        height="50"
        viewBox="0 0 34 43"
        className="-translate-y-1/2 drop-shadow-md"
      >
        <path
          d="M17 41 C17 41 31 26 31 16 A14 14 0 1 0 3 16 C3 26 17 41 17 41 Z"
          fill="#1f2430"
          stroke="#fff"
          strokeWidth="2"
        />
        <circle cx="17" cy="16" r="5" fill="#59bc6b" />
      </svg>
    </div>
  );
}
