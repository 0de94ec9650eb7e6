// The list of runs, told anew whenever something changes.

import { theme } from './theme.js';
import { token } from './token.js';
import { follow } from './feed.js';

function cell(name, classes, content) {
  const node = document.createElement(name);
  if (classes) node.className = classes;
  node.append(content);
  return node;
}

function row([name, link, state, games, about]) {
  const line = document.createElement('tr');
  const way = document.createElement('a');
  way.href = link;
  way.textContent = name;
  const head = cell('th', '', way);
  head.scope = 'row';
  line.append(head, cell('td', '', state), cell('td', 'n', games), cell('td', 'opt dim', about));
  return line;
}

theme();
token();
follow('/events', { picture(runs) {
  const focused = document.activeElement?.getAttribute('href');
  document.querySelector('.runs tbody').replaceChildren(...runs.map(row));
  document.getElementById('summary').textContent = `${runs.length} run${runs.length === 1 ? '' : 's'}`;
  if (focused) [...document.querySelectorAll('.runs a')].find((link) => link.getAttribute('href') === focused)?.focus();
} });
document.documentElement.classList.add('is-ready');
