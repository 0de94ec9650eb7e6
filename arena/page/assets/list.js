// The list of games, with filters and pages.

import { RESULTS, data, element, games, nameOf } from './data.js';

const PAGE = 50;
const filter = { one: '', two: '', label: '', result: '' };
let page = 0;
const selects = {};

export async function listGames() {
  const form = document.querySelector('.filters');
  const choice = (name, title, entries) => {
    const label = element('label', '', title);
    const select = element('select');
    select.append(new Option('any', ''), ...entries.map(([value, text]) => new Option(text, value)));
    select.addEventListener('change', () => choose({ [name]: select.value }));
    label.append(select);
    selects[name] = select;
    return label;
  };
  const bots = data.bots.map((bot, number) => [String(number), bot]);
  form.append(
    choice('one', 'Bot', bots),
    choice('two', 'against', bots),
    choice('label', 'Game', data.labels.map((label, number) => [String(number), label])),
    choice('result', 'Result', [['1', 'p1 won'], ['2', 'p2 won'], ['0', 'drawn'], ['3', 'none'], ['f', 'lost by a fault']]),
  );
  for (const node of document.querySelectorAll('.filters, .list, .pages')) node.hidden = false;
  await show();
}

// Shows the games that fit; what is not named stays as it is.
export function choose(some) {
  Object.assign(filter, some);
  for (const [name, select] of Object.entries(selects)) select.value = filter[name];
  page = 0;
  return show();
}

const fits = (entry) => {
  const seats = [String(entry[2]), String(entry[3])];
  if (filter.one && !seats.includes(filter.one)) return false;
  if (filter.two && !(filter.one === filter.two ? seats[0] === seats[1] : seats.includes(filter.two))) return false;
  if (filter.label && String(entry[1]) !== filter.label) return false;
  if (filter.result === 'f') return entry[8] !== 0;
  return !filter.result || String(entry[4]) === filter.result;
};

async function show() {
  const fitting = (await games()).filter(fits);
  const last = Math.max(Math.ceil(fitting.length / PAGE) - 1, 0);
  page = Math.min(page, last);
  const rows = fitting.slice(page * PAGE, (page + 1) * PAGE).map((entry) => {
    const row = element('tr');
    const [number, label, one, two, result, reason, plies, , fault] = entry;
    const link = element('a', '', String(number));
    link.href = `#g${number}p0`;
    const first = element('td', 'n');
    first.append(link);
    const seat = (bot, place) => element('td', result === place ? 'strong' : '', nameOf(bot));
    row.append(first, seat(one, 1), seat(two, 2), element('td', 'strong', RESULTS[result]),
      element('td', fault ? 'bad' : 'dim', reason), element('td', 'opt dim', data.labels[label]), element('td', 'n opt dim', String(plies)));
    row.addEventListener('click', () => link.click());
    link.addEventListener('click', (event) => event.stopPropagation());
    return row;
  });
  document.querySelector('.list tbody').replaceChildren(...rows);
  const pages = document.querySelector('.pages');
  const words = `${fitting.length} of ${data.games} games${last ? `, page ${page + 1} of ${last + 1}` : ''} `;
  pages.replaceChildren(element('span', 'dim', words));
  for (const [text, step, isPossible] of [['‹ earlier', -1, page > 0], ['later ›', 1, page < last]]) {
    const button = element('button', '', text);
    button.type = 'button';
    button.disabled = !isPossible;
    button.addEventListener('click', () => { page += step; show(); });
    if (last) pages.append(button);
  }
}
