import net from 'node:net';

/** A mail server that answers each command as the test wants, and keeps the emails it receives. */
export interface MailServer {
  url: string;
  /** Complete emails, as received. */
  received: string[];
  close(): Promise<void>;
}

/**
 * @param answers the answer to a command (`AUTH`, `MAIL`, `RCPT`, `DATA`) instead of success; null for none
 * @param listenPort the port on 127.0.0.1; 0 is any free one
 */
export async function openMailServer(
  answers: Record<string, string | null> = {},
  listenPort = 0,
): Promise<MailServer> {
  const received: string[] = [];
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).setEncoding('utf8');
    let isMessage = false;
    let message = '';
    socket.write('220 mail.example ready\r\n');
    const usual: Record<string, string> = {
      EHLO: '250-mail.example\r\n250 AUTH PLAIN',
      AUTH: '235 ok',
      DATA: '354 go on',
      QUIT: '221 bye',
    };
    const hear = (line: string): void => {
      if (isMessage && line === '.') {
        isMessage = false;
        received.push(message);
        socket.write('250 kept\r\n');
      } else if (isMessage) message += `${line}\n`;
      else {
        const verb = line.split(' ', 1)[0]!.toUpperCase();
        const answer = verb in answers ? answers[verb]! : (usual[verb] ?? '250 ok');
        isMessage = verb === 'DATA' && answer === usual['DATA'];
        if (answer !== null) socket.write(`${answer}\r\n`);
      }
    };
    let rest = '';
    socket.on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\r\n');
      rest = lines.pop()!;
      for (const line of lines) hear(line);
    });
  });
  await new Promise<void>((resolve) => server.listen(listenPort, '127.0.0.1', resolve));
  const { port } = server.address() as net.AddressInfo;
  return {
    url: `smtp://user:password@127.0.0.1:${port}`,
    received,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
