// The hub of all tabs of a browser, in a worker that they share.

import { Hub } from './hub.js';

const hub = new Hub();

self.addEventListener('connect', ({ ports: [port] }) => {
  const tell = (message) => port.postMessage(message);
  let path = null;
  const leave = () => {
    if (path !== null) hub.leave(path, tell);
    path = null;
  };
  port.addEventListener('message', ({ data }) => {
    leave();
    if (data.follow) hub.follow((path = data.follow), tell);
  });
  // A tab that crashed says nothing; browsers that tell so tell it here.
  port.addEventListener('close', leave);
  port.start();
  port.postMessage({ isThere: true });
});
