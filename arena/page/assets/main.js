// Tabs, sorting, the theme, and what the address asks for: #standings, #game-0, #games-1-2-0, #g12p34.

import { games } from './data.js';
import { close, listen, open } from './replay.js';
import { choose, listGames } from './list.js';
import { theme } from './theme.js';

const title = document.title;

function tabs(id) {
  const panels = [...document.querySelectorAll('.panel')];
  const chosen = panels.find((panel) => panel.id === id) ?? panels[0];
  for (const panel of panels) panel.classList.toggle('is-away', panel !== chosen);
  for (const tab of document.querySelectorAll('[role=tab]')) {
    const isChosen = tab.getAttribute('aria-controls') === chosen.id;
    tab.setAttribute('aria-selected', isChosen);
    tab.tabIndex = isChosen ? 0 : -1;
  }
}

function sorting(table) {
  table.tHead.querySelectorAll('th').forEach((head, column) => {
    if (head.classList.contains('w')) return;
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener('click', () => {
      const isDown = head.getAttribute('aria-sort') !== 'descending';
      for (const other of table.tHead.querySelectorAll('th')) other.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', isDown ? 'descending' : 'ascending');
      // Figures come with what they are sorted by, in one unit; a name is sorted as it reads.
      const key = ({ dataset, textContent }) => dataset.key ?? textContent.trim();
      const rows = [...table.tBodies[0].rows].sort((a, b) => {
        const [one, two] = [key(a.cells[column]), key(b.cells[column])];
        // What is unknown stands last either way.
        if (!one || !two || one === '–' || two === '–') return (!one || one === '–') - (!two || two === '–');
        const [n, m] = [Number(one), Number(two)];
        const order = Number.isNaN(n) || Number.isNaN(m) ? one.localeCompare(two, 'en', { numeric: true }) : n - m;
        return isDown ? -order : order;
      });
      table.tBodies[0].append(...rows);
    });
  });
}

async function follow() {
  const hash = decodeURIComponent(location.hash.slice(1));
  const replay = /^g(\d+)(?:p(\d+))?$/.exec(hash);
  if (replay && (await open(Number(replay[1]), replay[2] && Number(replay[2])))) return;
  const isBack = close();
  document.title = title;
  const meeting = /^games-(\d+)-(\d+)-(-|\d+)$/.exec(hash);
  if (meeting) {
    await choose({ one: meeting[1], two: meeting[2], label: meeting[3] === '-' ? '' : meeting[3], result: '', text: '' });
    document.getElementById('games').scrollIntoView();
  } else if (hash === 'all' || /^game-\d+$/.test(hash)) {
    tabs(hash);
  } else if (hash && !(isBack && hash === 'games')) {
    document.getElementById(hash)?.scrollIntoView();
  }
}

document.documentElement.classList.add('has-script');
for (const tab of document.querySelectorAll('[role=tab]')) {
  tab.addEventListener('click', (event) => {
    event.preventDefault();
    tabs(tab.getAttribute('aria-controls'));
    history.replaceState(null, '', tab.getAttribute('href'));
  });
  tab.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 'nextElementSibling', ArrowLeft: 'previousElementSibling' }[event.key];
    const other = step && tab[step];
    if (!other) return;
    other.focus();
    other.click();
    event.preventDefault();
  });
}
document.querySelectorAll('table.sortable').forEach(sorting);
theme();
tabs('all');
listen();
addEventListener('hashchange', follow);
// The browser would scroll to the list by itself, after the report lies where it lay.
document.getElementById('back').addEventListener('click', (event) => {
  event.preventDefault();
  history.pushState(null, '', '#games');
  follow();
});
await games();
await listGames();
await follow();
document.documentElement.classList.add('is-ready');
