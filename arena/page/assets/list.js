// The list of games, with filters, a search and pages.

import { botsOf, data, element, games, nameNode, nameOf, resultOf } from './data.js';

const PAGE = 50;

// How results are chosen: by their numbers in the list, or at tables of more than two by the seat that has the first place.
const [DRAWN, NONE] = ['0', '3'];
const filter = { one: '', two: '', label: '', result: '', text: '' };
let page = 0;
let fitting = [];
const fields = {};

export async function listGames() {
  const form = document.querySelector('.filters');
  const labelled = (name, title, field, event) => {
    const label = element('label', '', title);
    field.addEventListener(event, () => choose({ [name]: field.value }));
    label.append(field);
    fields[name] = field;
    return label;
  };
  const choice = (name, title, entries) => {
    const select = element('select');
    select.append(new Option('any', ''), ...entries.map(([value, text]) => new Option(text, value)));
    return labelled(name, title, select, 'change');
  };
  const search = element('input');
  Object.assign(search, { type: 'search', placeholder: 'number, name, reason' });
  const bots = data.bots.map((bot, number) => [String(number), bot]);
  const seats = (await games()).reduce((most, entry) => Math.max(most, botsOf(entry).length), 2);
  const won = Array.from({ length: seats }, (_, seat) => [`p${seat + 1}`, `p${seat + 1} won`]);
  form.append(
    choice('one', 'Bot', bots),
    choice('two', 'against', bots),
    choice('label', 'Game', data.labels.map((label, number) => [String(number), label])),
    choice('result', 'Result', [...won, [DRAWN, seats > 2 ? 'no single winner' : 'drawn'], [NONE, 'none'], ['f', seats > 2 ? 'with a fault' : 'lost by a fault']]),
    labelled('text', 'Search', search, 'input'),
  );
  form.addEventListener('submit', (event) => event.preventDefault());
  for (const node of document.querySelectorAll('.filters, .list, .pages')) node.hidden = false;
  await choose({});
}

// Shows the games that fit; what is not named stays as it is.
export async function choose(some) {
  Object.assign(filter, some);
  for (const [name, field] of Object.entries(fields)) if (field.value !== filter[name]) field.value = filter[name];
  page = 0;
  fitting = (await games()).filter(fits);
  show();
}

// The number of the game that stands `step` rows from another one in the filtered list; from all games if that one is not
// in it.
export async function beside(number, step) {
  const all = fitting.some((entry) => entry[0] === number) ? fitting : await games();
  return all[all.findIndex((entry) => entry[0] === number) + step]?.[0];
}

const fits = (entry) => {
  const seats = botsOf(entry).map(String);
  if (filter.one && !seats.includes(filter.one)) return false;
  if (filter.two && !(filter.one === filter.two ? seats[0] === seats[1] : seats.includes(filter.two))) return false;
  if (filter.label && String(entry[1]) !== filter.label) return false;
  if (filter.result === 'f' ? entry[8] === 0 : filter.result && outcome(entry) !== filter.result) return false;
  return matches(entry, filter.text.trim().toLowerCase());
};

// The seat that has won, as `p3`, or how else the game ended.
function outcome(entry) {
  const places = entry[10]?.split(',') ?? ({ 1: ['1', '2'], 2: ['2', '1'] })[entry[4]];
  if (!places) return String(entry[4]);
  const firsts = places.filter((place) => place === '1').length;
  return firsts === 1 ? `p${places.indexOf('1') + 1}` : DRAWN;
}

// A number is that of a game; other words are sought in names, reasons and games.
const matches = (entry, text) => {
  if (!text) return true;
  if (/^\d+$/.test(text) && String(entry[0]) === text) return true;
  return [...botsOf(entry).map(nameOf), entry[5], data.labels[entry[1]]].some((words) => words.toLowerCase().includes(text));
};

function show() {
  const last = Math.max(Math.ceil(fitting.length / PAGE) - 1, 0);
  const rows = fitting.slice(page * PAGE, (page + 1) * PAGE).map((entry) => {
    const row = element('tr');
    const [number, label, , , , reason, plies, , fault] = entry;
    const winner = outcome(entry);
    const link = element('a', '', String(number));
    link.href = `#g${number}p0`;
    const first = element('th', 'n');
    first.scope = 'row';
    first.append(link);
    const named = (bot, seat) => {
      const name = nameNode(nameOf(bot));
      if (winner === `p${seat + 1}`) name.classList.add('strong');
      return name;
    };
    // At a table of more than two the others stand with the second.
    const [own, others] = [element('td'), element('td')];
    botsOf(entry).forEach((bot, seat) => (seat ? others : own).append(seat > 1 ? ', ' : '', named(bot, seat)));
    row.append(first, own, others, element('td', 'strong', resultOf(entry)),
      element('td', fault ? 'bad' : 'dim', reason), element('td', 'dim', data.labels[label]), element('td', 'n dim', String(plies)));
    row.addEventListener('click', () => link.click());
    link.addEventListener('click', (event) => event.stopPropagation());
    return row;
  });
  document.querySelector('.list tbody').replaceChildren(...rows);
  const pages = document.querySelector('.pages');
  const words = element('span', 'dim', `${fitting.length} of ${data.games} games`);
  words.setAttribute('role', 'status');
  pages.replaceChildren(words, ...(last ? numbers(last).map((number) => step(number)) : []));
}

// The pages that can be gone to: the first, the last, and those around this one; null where some are left out.
function numbers(last) {
  const near = [...new Set([0, page - 1, page, page + 1, last])].filter((number) => number >= 0 && number <= last).sort((a, b) => a - b);
  return near.flatMap((number, place) => (place && number - near[place - 1] > 1 ? [null, number] : [number]));
}

function step(number) {
  if (number === null) return element('span', 'dim', '…');
  const button = element('button', '', String(number + 1));
  button.type = 'button';
  button.setAttribute('aria-label', `Page ${number + 1}`);
  if (number === page) button.setAttribute('aria-current', 'page');
  button.addEventListener('click', () => {
    page = number;
    show();
    document.querySelector('.pages [aria-current]').focus();
  });
  return button;
}
