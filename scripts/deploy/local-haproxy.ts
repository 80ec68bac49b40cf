import { readDeployFile } from './deploy-files.ts';

/** The shipped example in front of two processes of this machine, without what TLS needs. */
export const localHaproxyFile = (port: number, [first, second]: readonly [number, number]): string =>
  readDeployFile('haproxy/haproxy.cfg')
    .replace(/^ {2}(bind :443|http-request redirect).*\n/gm, '')
    .replace('bind :80', `bind 127.0.0.1:${port}`)
    .replaceAll('127.0.0.1:3020', `127.0.0.1:${first}`)
    .replaceAll('127.0.0.1:3021', `127.0.0.1:${second}`);
