// The list of runs, changed in place whenever something changes.

import { fill } from './rows.js';
import { theme } from './theme.js';
import { token } from './token.js';
import { follow } from './feed.js';

theme();
token();
follow('/events', {
  picture(runs) {
    fill(document.querySelector('.runs tbody'), runs.map(([name, link, state, games, about]) => [link, [[name, 'head', link], [state], [games, 'n'], [about, 'opt dim']]]));
    document.getElementById('summary').textContent = `${runs.length} run${runs.length === 1 ? '' : 's'}`;
  },
  words(text) { document.getElementById('link').textContent = text; },
});
document.documentElement.classList.add('is-ready');
