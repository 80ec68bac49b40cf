// A bare socket.io server: each person who connects is in one room, and a message there is sent to everyone
// in it.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from 'socket.io';

/** Sent to the process that started it: the port on which it listens. */
export type EchoReady = number;

const http = createServer();
const io = new Server(http, { transports: ['websocket'], serveClient: false });
io.on('connection', (socket) => {
  const room = String(socket.handshake.auth['room']);
  void socket.join(room);
  socket.on('say', (text: string, taken: () => void) => {
    io.to(room).emit('message', text);
    taken();
  });
});
http.listen(0, '127.0.0.1', () => process.send?.((http.address() as AddressInfo).port satisfies EchoReady));
process.on('disconnect', () => process.exit());
