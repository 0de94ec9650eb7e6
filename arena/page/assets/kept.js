// The games that the server keeps: those in progress, those that were left, those that are over.

import { element } from './data.js';
import { sure } from './sure.js';

const headers = (token) => ({ 'content-type': 'application/json', 'x-arena-token': token });

function row([link, game, names, plies, state, when], remove) {
  const line = element('tr');
  const head = element('th');
  head.scope = 'row';
  const way = element('a', '', game);
  way.href = link;
  head.append(way);
  const button = element('button', '', 'Remove');
  button.type = 'button';
  button.setAttribute('aria-label', `Remove ${game}, ${names.join(' against ')}`);
  button.addEventListener('click', () => remove(link, game));
  const last = element('td', 'n');
  last.append(button);
  line.append(head, element('td', '', names.join(' – ')), element('td', 'n', String(plies)), element('td', 'state', state),
    element('td', 'dim opt', new Date(when).toLocaleString()), last);
  return line;
}

// How many of them stand above the form; the others are shown when they are asked for.
const FEW = 3;

let isWhole = false;

// Lists them for those who have the token; nothing is shown where there are none. Returns how many there are.
export async function listKept(token) {
  const part = document.getElementById('kept');
  const answer = await fetch('saved', { headers: headers(token) });
  if (!answer.ok) return 0;
  const games = await answer.json();
  const body = part.querySelector('tbody');
  const remove = async (link, game) => {
    if (!(await sure(`Remove this game of ${game}? It and its log are deleted.`, 'Remove'))) return;
    const place = [...body.rows].findIndex((line) => line.querySelector('a').getAttribute('href') === link);
    await fetch(`${link}orders`, { method: 'POST', headers: headers(token), body: '{"order":"remove"}' });
    await listKept(token);
    // The focus was on a button that is gone: it goes to the one of the next row.
    const next = body.rows[Math.min(place, body.rows.length - 1)];
    (next?.querySelector('button') ?? document.querySelector('input[name=game]:checked')).focus();
  };
  body.replaceChildren(...games.slice(0, isWhole ? games.length : FEW).map((game) => row(game, remove)));
  part.querySelector('.scroll').classList.toggle('is-whole', isWhole);
  part.hidden = games.length === 0;
  const all = document.getElementById('all-kept');
  all.hidden = games.length <= FEW;
  all.textContent = isWhole ? `Show the last ${FEW} only` : `Show all ${games.length}`;
  all.setAttribute('aria-expanded', isWhole);
  all.onclick = () => {
    isWhole = !isWhole;
    listKept(token);
  };
  return games.length;
}
