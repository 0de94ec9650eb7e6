// The games that the server keeps: those that go on, those that were left, those that are over.

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

// Lists them for who has the token; nothing is shown where there are none.
export async function listKept(token) {
  const part = document.getElementById('kept');
  const answer = await fetch('saved', { headers: headers(token) });
  if (!answer.ok) return;
  const games = await answer.json();
  const remove = async (link, game) => {
    if (!(await sure(`Remove this game of ${game}? It and its log are deleted.`, 'Remove'))) return;
    await fetch(`${link}orders`, { method: 'POST', headers: headers(token), body: '{"order":"remove"}' });
    listKept(token);
  };
  part.querySelector('tbody').replaceChildren(...games.map((game) => row(game, remove)));
  part.hidden = games.length === 0;
}
