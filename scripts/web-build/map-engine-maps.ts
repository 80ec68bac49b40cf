import fs from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';

const engine = path.resolve(import.meta.dirname, '..', '..', 'node_modules', 'maplibre-gl', 'dist');
const isEngine = (name: string): boolean => /^assets\/map-engine-[^/]+\.js$/.test(name);
const isWorker = (name: string): boolean => /^assets\/maplibre-gl-worker-[^/]+\.mjs$/.test(name);
const pointer = /\/\/# sourceMappingURL=\S+\s*$/;

/**
 * Ships the source maps of the map engine, whose files are too large to be read without, and whose sources
 * are public. Those of the app itself are not.
 */
export function mapEngineMaps(): Plugin {
  return {
    name: 'sameway-map-engine-maps',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const [name, file] of Object.entries(bundle)) {
          if (name.endsWith('.map') && !isEngine(name.slice(0, -'.map'.length))) delete bundle[name];
          if (file.type === 'chunk' && !isEngine(name)) file.code = file.code.replace(pointer, '');
          if (file.type !== 'asset' || !isWorker(name)) continue;
          const map = `${path.basename(name)}.map`;
          const source = fs.readFileSync(path.join(engine, 'maplibre-gl-worker.mjs.map'));
          this.emitFile({ type: 'asset', fileName: `assets/${map}`, source });
          file.source = String(file.source).replace(pointer, `//# sourceMappingURL=${map}\n`);
        }
      },
    },
  };
}
