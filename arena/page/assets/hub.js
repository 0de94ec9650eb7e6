// One stream of pictures for many pages: whatever number of tabs a browser has, they hold one connection, and orders find the
// others free.

// The server says that it lives every four seconds. After so long without a word it is taken for dead; then, and when it breaks
// off, it is asked again this often, in milliseconds.
const [SILENT, AGAIN] = [11000, 2000];

export class Hub {
  constructor() {
    // By feed: who follows it, and what was told of it last.
    this.feeds = new Map();
    [this.source, this.heard, this.isLost] = [null, 0, false];
    setInterval(() => this.watch(), 1000);
  }

  // `tell` is called with `{ picture, now, heard }`: a text, the server's clock when it told it, and ours; with `{ gone: true }`
  // where there is no such feed; and with `{ lost }`, whether the server is silent.
  follow(path, tell) {
    let feed = this.feeds.get(path);
    const isNew = !feed;
    if (isNew) this.feeds.set(path, (feed = { followers: new Set(), last: null }));
    feed.followers.add(tell);
    if (this.isLost) tell({ lost: true });
    if (feed.last) tell(feed.last);
    if (isNew) this.open();
  }

  leave(path, tell) {
    const feed = this.feeds.get(path);
    if (!feed?.followers.delete(tell) || feed.followers.size) return;
    this.feeds.delete(path);
    this.open();
  }

  open() {
    this.source?.close();
    this.source = null;
    if (!this.feeds.size) return;
    this.heard = Date.now();
    const query = [...this.feeds.keys()].map((path) => `of=${encodeURIComponent(path)}`).join('&');
    const source = new EventSource(`/feed?${query}`);
    this.source = source;
    const hear = (deed) => (event) => {
      if (source !== this.source) return;
      this.heard = Date.now();
      this.lose(false);
      deed?.(event.data.split('\n'));
    };
    source.addEventListener('pulse', hear());
    source.addEventListener('picture', hear(([path, now, ...lines]) => {
      this.tell(path, { picture: lines.join('\n'), now: Number(now), heard: Date.now() });
    }));
    source.addEventListener('gone', hear(([path]) => this.tell(path, { gone: true })));
    source.addEventListener('error', () => {
      if (source !== this.source) return;
      source.close();
      this.source = null;
      this.lose(true);
      setTimeout(() => this.source ?? this.open(), AGAIN);
    });
  }

  tell(path, message) {
    const feed = this.feeds.get(path);
    if (!feed) return;
    feed.last = message;
    feed.followers.forEach((tell) => tell(message));
  }

  lose(isLost) {
    if (isLost === this.isLost) return;
    this.isLost = isLost;
    for (const { followers } of this.feeds.values()) followers.forEach((tell) => tell({ lost: isLost }));
  }

  watch() {
    if (!this.source || Date.now() - this.heard < SILENT) return;
    this.lose(true);
    this.open();
  }
}
