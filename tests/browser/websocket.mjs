// The client of a WebSocket (RFC 6455) for text messages: Node has one of its own only from version 22 on.

import { randomBytes } from 'node:crypto';
import { get } from 'node:http';

const [CONTINUATION, TEXT, CLOSE, PING, PONG] = [0, 1, 8, 9, 10];

// A frame as a client sends it: whole, and masked.
function frame(kind, payload) {
  const length = payload.length;
  const head = length < 126 ? Buffer.from([0x80 | kind, 0x80 | length]) : Buffer.alloc(length < 65536 ? 4 : 10);
  if (length >= 126) {
    head.set([0x80 | kind, 0x80 | (length < 65536 ? 126 : 127)]);
    if (length < 65536) head.writeUInt16BE(length, 2);
    else head.writeBigUInt64BE(BigInt(length), 2);
  }
  const mask = randomBytes(4);
  return Buffer.concat([head, mask, payload.map((byte, index) => byte ^ mask[index % 4])]);
}

// Takes the first frame off some bytes; null where it is not there as a whole.
function unframe(bytes) {
  if (bytes.length < 2) return null;
  const short = bytes[1] & 0x7f;
  const start = { 126: 4, 127: 10 }[short] ?? 2;
  if (bytes.length < start) return null;
  const length = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
  if (bytes.length < start + length) return null;
  return { isLast: !!(bytes[0] & 0x80), kind: bytes[0] & 0x0f, payload: bytes.subarray(start, start + length), rest: bytes.subarray(start + length) };
}

// Connects to an address and resolves to what sends a text and what closes the connection; `hear` is called with each text
// that comes, `end` when none can come any more.
export function connect(address, hear, end) {
  const headers = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13', 'sec-websocket-key': randomBytes(16).toString('base64') };
  return new Promise((done, failed) => {
    const request = get(address.replace(/^ws:/, 'http:'), { headers });
    request.once('error', failed);
    request.once('response', (answer) => failed(new Error(`no WebSocket: status ${answer.statusCode}`)));
    request.once('upgrade', (_, socket, first) => {
      let [bytes, parts] = [first, []];
      const take = () => {
        for (let next = unframe(bytes); next; next = unframe(bytes)) {
          const { isLast, kind, payload, rest } = next;
          bytes = rest;
          if (kind === PING) socket.write(frame(PONG, payload));
          else if (kind === CLOSE) socket.end();
          else if (kind === TEXT || kind === CONTINUATION) {
            parts.push(payload);
            if (!isLast) continue;
            const text = Buffer.concat(parts).toString();
            parts = [];
            hear(text);
          }
        }
      };
      socket.on('data', (more) => {
        bytes = Buffer.concat([bytes, more]);
        take();
      });
      socket.on('error', () => {});
      socket.once('close', end);
      done({ send: (text) => socket.write(frame(TEXT, Buffer.from(text))), close: () => socket.end(frame(CLOSE, Buffer.alloc(0))) });
      take();
    });
  });
}
