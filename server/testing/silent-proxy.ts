import net from 'node:net';

/**
 * A connection to the database that can fall silent without closing, as one does whose other side has lost
 * power.
 */
export interface SilentProxy {
  port: number;
  /**
   * Forwards nothing more on connections over which one of these has been said; new ones are not concerned.
   */
  mute(said: readonly string[]): number;
  close(): Promise<void>;
}

/** @param to where the database listens: a host and port, or a folder with its socket. */
export async function openSilentProxy(to: { host: string; port: number }): Promise<SilentProxy> {
  const links: { from: net.Socket; onward: net.Socket; said: string; isMuted: boolean }[] = [];
  const server = net.createServer((from) => {
    const onward = to.host.startsWith('/')
      ? net.connect(`${to.host}/.s.PGSQL.${to.port}`)
      : net.connect(to.port, to.host);
    const link = { from, onward, said: '', isMuted: false };
    links.push(link);
    from.on('data', (chunk: Buffer) => {
      link.said += chunk.toString('latin1');
      if (!link.isMuted) onward.write(chunk);
    });
    onward.on('data', (chunk: Buffer) => {
      if (!link.isMuted) from.write(chunk);
    });
    for (const [one, other] of [
      [from, onward],
      [onward, from],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => {
        if (!link.isMuted) other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as net.AddressInfo).port,
    mute(said) {
      const silent = links.filter(
        (link) => !link.from.destroyed && said.some((words) => link.said.includes(words)),
      );
      for (const link of silent) link.isMuted = true;
      return silent.length;
    },
    async close() {
      for (const { from, onward } of links) {
        from.destroy();
        onward.destroy();
      }
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
