// A game that is played by hand. The server tells the whole picture whenever it changes, with the clicks that make up each
// legal ply; what is done here is sent to it.

import { BoardView, change, places, sceneAt, turnAt } from './board.js';
import { Cells } from './cells.js';
import { copy } from './copy.js';
import { element } from './data.js';
import { Drag } from './drag.js';
import { follow } from './feed.js';
import { enable } from './focus.js';
import { Past } from './past.js';
import { listenForRules } from './rules.js';
import { Seat, arrange, time } from './seat.js';
import { sure } from './sure.js';
import { theme } from './theme.js';
import { checkedToken, orderHeaders, token, whenTokenChanges } from './token.js';

const find = (id) => document.getElementById(id);
let known = token();
const view = new BoardView(find('board-frame'), 0);
const cells = new Cells(view, press);
const drag = new Drag(view, { canHold, hold, drop, release, over: (place) => cells.over(place) });
const past = new Past(find('plies'), lookAt);
const seats = [new Seat(), new Seat()];
const seatAll = (count) => arrange(seats, count, !!view?.isTurned, find('seat-top'), find('seat-bottom'));
let picture = null;
let game = null; // the plies of the picture as a board shows them
let path = []; // the clicks of the ply that is begun
let isBegun = false; // whether the board shows them
let isOwn = false; // whether the ply that comes next was played here: it stands where it goes already
let leaning; // the place of the board beside which the choices stand
let looked = null; // after how many plies the board is looked at, unless as it stands
let [told, heard] = [0, 0]; // the server's clock when it told the picture, and ours
let [halted, isLost] = [null, false]; // since when nothing is heard, and whether nobody answers
const title = document.title;

// A click: its code, what a choice means, places, the ply that it completes, what follows, and what the board changes to so far.
const isChoice = (click) => click[1] !== null;
// The places that are empty after some changes, those that were passed left out.
const emptied = (changes) => {
  const letters = [...now().letters];
  return change(letters, changes).filter((place) => letters[place] === '.' && !walked().includes(place));
};
// What the clicks so far have changed, as far as it is decided.
const decided = () => path.findLast((click) => click[5])?.[5] ?? '';
// A choice among captures may be made by any stone that it takes.
const spots = (click) => {
  if (!isChoice(click)) return places(click[2]);
  const gone = emptied(decided());
  return [...new Set([...places(click[2]), ...emptied(click[5]).filter((place) => !gone.includes(place))])];
};
const walked = () => path.filter((click) => !isChoice(click)).flatMap((click) => places(click[2]));
const siblings = () => (path.length ? path[path.length - 1][4] : picture?.clicks ?? []);
const canPlay = () => known && picture && looked === null && !isLost && !isOwn;

// Which board is shown: the one after a number of the listed plies, or the current one.
const sceneOf = (count) => sceneAt(game, count - game.first);
const now = () => sceneOf(picture.at);

function press(place) {
  if (!canPlay()) return refuse(place, []);
  const click = siblings().find((other) => spots(other).includes(place));
  if (click) return choose(click);
  // A click elsewhere begins another ply; one on the same stone puts it down.
  const before = path;
  const begun = path.length && spots(path[0]).includes(place);
  path = [];
  const first = begun ? undefined : siblings().find((other) => spots(other).includes(place));
  if (first) return choose(first);
  showClicks();
  if (!begun) refuse(place, before);
}

const cellName = (place) => view.board.places[place][3];
const placed = (place) => view.board.pieces[(looked === null ? now() : sceneOf(looked)).letters[place]]?.[1];

// Says why a click does nothing.
async function refuse(place, before) {
  if (!picture || isInHand(place) || isOwn) return;
  if (isLost) return say('The server does not answer: nothing can be played now.', true);
  if (looked !== null) return say('You are looking at an earlier ply. “Back to the present” leads to the board as it is.', true);
  if (!known) return say('You are watching this game. To play, open the address that `arena serve` printed, with its token.', true);
  if (picture.ending) return say(`The game is over: ${picture.ending}.`, true);
  if (picture.isHalted) return say('The clocks stand still: choose “Go on” first.', true);
  if (picture.thinks) return say(`${picture.thinks} is thinking; it is not your turn.`, true);
  if (!picture.clicks) return say(`It is the turn of ${picture.seats[picture.decider - 1].name}.`, true);
  const at = picture.at;
  const cells = [...before.filter((click) => !isChoice(click)).map((click) => click[0]), cellName(place)];
  const why = await fetch(`why?cells=${cells.join(',')}`).then((answer) => (answer.ok ? answer.json() : {})).catch(() => ({}));
  // The game may have continued meanwhile.
  if (picture.at !== at || path.length) return;
  const stands = placed(place);
  const plain = before.length ? `from ${cells[0]} you cannot go to ${cells.at(-1)}`
    : stands ? `${stands} on ${cellName(place)} cannot be played now` : `${cellName(place)} is empty, and nothing can be placed there now`;
  say(`Not possible: ${why.said ?? plain}. ${sentence(picture.task)}`, true);
}

const sentence = (words) => (words ? `${words[0].toUpperCase()}${words.slice(1)}.` : '');

function choose(click) {
  path.push(click);
  if (click[3] === null) return showClicks();
  order('play', { ply: click[3], at: picture.at });
  // It stands so until the server has said the same, or something else.
  const { letters } = now();
  change(letters, click[5]);
  view.lay(letters);
  [isBegun, isOwn] = [true, true];
  path = [];
  cells.show(letters, [], new Set());
  offer([]);
}

const isInHand = (place) => place >= view.board.cells;

// The clicks that end a drop of such a piece from the hand: they make a place beside the board empty on which one lies.
function drops(letter, clicks) {
  const { letters } = now();
  const empties = (click) => change([...letters], click[5]).some((place) => isInHand(place) && letters[place] === letter);
  return clicks.filter((click) => (click[3] === null ? drops(letter, click[4]).length > 0 : empties(click)));
}

// Whether a piece can be dragged from a place: one that can be taken up, the one that is on its way, one in hand.
function canHold(place) {
  if (!canPlay()) return false;
  if (isInHand(place)) return now().letters[place] !== '.' && drops(now().letters[place], picture.clicks ?? []).length > 0;
  if (path.length && walked().at(-1) === place) return siblings().some((click) => !isChoice(click));
  return now().letters[place] !== '.' && (picture.clicks ?? []).some((click) => click[3] === null && places(click[2]).includes(place));
}

function hold(place) {
  const letters = [...now().letters];
  if (isInHand(place)) {
    path = [];
    showClicks();
    return letters[place];
  }
  if (walked().at(-1) !== place) {
    path = [];
    choose(picture.clicks.find((click) => places(click[2]).includes(place)));
  }
  change(letters, decided());
  return walked().map((other) => letters[other]).find((letter) => letter !== '.');
}

function drop(from, to) {
  if (to === undefined || to === from) return false;
  const letter = now().letters[from];
  const fitting = isInHand(from) ? drops(letter, siblings()) : siblings().filter((click) => !isChoice(click));
  const click = fitting.find((other) => places(other[2]).includes(to));
  if (!click) return false;
  choose(click);
  // What was dragged says which of several stones is dropped, but not which side of one lies up.
  const kinds = isInHand(from) ? drops(letter, click[4]) : [];
  if (kinds.length === 1 && kinds[0][3] !== null) choose(kinds[0]);
  return true;
}

// A stone that was dragged nowhere stands where it stood; a chain continues from where it is.
function release() {
  if (path.length === 1) path = [];
  if (picture) showClicks();
}

// What was clicked so far, as the board would then be, and what can be clicked next.
function showClicks() {
  if (looked !== null) return;
  const next = known ? siblings() : [];
  const { letters } = now();
  const begun = path.at(-1);
  const gone = emptied(decided());
  if (begun) {
    change(letters, decided());
    view.lay(letters);
  } else if (isBegun) {
    draw(false);
  }
  isBegun = !!begun;
  showTask();
  // Several places of one click, or the stones that a choice would take, are tied together.
  const groups = next.map((click) => [spots(click), /^[+-]$/.test(click[0]) ? click[0].replace('-', '−') : '', isChoice(click) ? click[1] : 'together'])
    .filter(([members, sign]) => members.length > 1 || sign);
  cells.show(letters, walked(), new Set(next.flatMap(spots)), gone, groups, canHold);
  if (!begun && picture.advice?.way) cells.advise(picture.advice.way);
  showChoices(next.filter(isChoice));
  if (known && picture.isHalted) find('choices').append(button('Go on: the clocks run again', () => order('resume'), 'choice'));
  if (!begun) return say(picture.said, picture.isFault);
  // The cell that was left is empty, too.
  const lost = change([...letters], decided()).filter((place) => now().letters[place] !== '.' && place !== walked()[0]);
  const names = lost.map((place) => view.board.places[place][3]).join(', ');
  say(`${path.map((click) => click[0]).join(' ')} …${names ? ` taken so far: ${names}` : ''}`);
}

function button(text, deed, classes = '') {
  const node = element('button', classes, text);
  node.type = 'button';
  node.addEventListener('click', deed);
  return node;
}

function showChoices(choices) {
  const words = (click) => (click[0].startsWith(click[1]) || click[1].includes(click[0]) ? click[1] : `${click[0].replace('-', '−')}: ${click[1]}`);
  const buttons = choices.map((click) => {
    const node = button(words(click), () => choose(click), 'choice');
    for (const [event, place] of [['pointerenter', spots(click)[0]], ['pointerleave', null], ['focus', spots(click)[0]], ['blur', null]]) {
      node.addEventListener(event, () => cells.light(place ?? null));
    }
    return node;
  });
  if (path.length) {
    buttons.push(button('Back', unclick));
    buttons.at(-1).title = 'takes the last click back';
  }
  offer(buttons, path.length && choices.length ? walked().at(-1) : undefined);
}

// Offers these buttons, beside a place of the board if one is given. Where the focus was on a button that is gone, it goes to
// the first of them, or back to the cell from which it came.
function offer(buttons, place) {
  const node = find('choices');
  const hadFocus = node.contains(document.activeElement);
  node.replaceChildren(...buttons);
  lean(node, place);
  if (hadFocus) (buttons[0] ?? cells.nodes[cells.resting]).focus({ preventScroll: true });
}

// Puts the choices beside a place of the board, where they cover as little as possible of what can be clicked and of what
// stands there, or into their room.
function lean(node, place) {
  leaning = place;
  node.classList.toggle('is-beside', place !== undefined);
  node.style.left = node.style.top = '';
  if (place === undefined) return;
  const room = node.offsetParent.getBoundingClientRect();
  const spot = cells.nodes[place].getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = node;
  // What should be seen, and how much: what can be clicked before what only stands there.
  const { letters } = now();
  const weight = (node, other) => (other === place || node.classList.contains('can') ? 4 : letters[other] === '.' ? 0 : 1);
  const weighed = cells.nodes.map((node, other) => [node.getBoundingClientRect(), weight(node, other)]);
  const covered = (x, y) => weighed.reduce((sum, [cell, much]) => {
    const [right, down] = [Math.min(x + width, cell.right) - Math.max(x, cell.left), Math.min(y + height, cell.bottom) - Math.max(y, cell.top)];
    return sum + much * Math.max(right, 0) * Math.max(down, 0);
  }, 0);
  const [left, right] = [Math.max(4, room.left), Math.min(document.documentElement.clientWidth - 4, room.right)];
  const clamp = (value, low, high) => Math.max(low, Math.min(value, high));
  const [middle, level] = [spot.left + (spot.width - width) / 2, spot.top + (spot.height - height) / 2];
  const gap = 4;
  const corners = [[middle, spot.bottom + gap], [middle, spot.top - height - gap], [spot.right + gap, level], [spot.left - width - gap, level],
    [spot.right + gap, spot.bottom + gap], [spot.left - width - gap, spot.bottom + gap], [spot.right + gap, spot.top - height - gap], [spot.left - width - gap, spot.top - height - gap]]
    .map(([x, y]) => [clamp(x, left, right - width), clamp(y, 4, Math.max(4, innerHeight - height - 4))]);
  const cost = corners.map(([x, y]) => covered(x, y));
  const [x, y] = corners[cost.indexOf(Math.min(...cost))];
  node.style.left = `${x - room.left}px`;
  node.style.top = `${y - room.top}px`;
}

function unclick() {
  path.pop();
  showClicks();
}

// Shows the board after a number of plies; the game does not change.
function lookAt(count) {
  if (!picture) return;
  const target = Math.min(Math.max(count, game.first), picture.at);
  const isNext = target === (looked ?? picture.at) + 1;
  path = [];
  looked = target === picture.at ? null : target;
  showTime(isNext);
}

// Shows the board as it stands, or as it is looked at, and which of both it is.
function showTime(isNext) {
  const isPast = looked !== null;
  document.querySelector('.play').classList.toggle('is-past', isPast);
  find('past').hidden = !isPast;
  const count = looked ?? picture.at;
  past.mark(count);
  draw(isNext);
  for (const node of document.querySelectorAll('[data-look]')) enable(node, /first|back/.test(node.dataset.look) ? count > game.first : isPast);
  showTask();
  showWhy();
  if (!isPast) return showClicks();
  const ply = game.plies[looked - game.first - 1];
  const words = ply ? `${ply.token} by p${ply.seat} (${picture.seats[ply.seat - 1].name})` : 'the start';
  find('past').textContent = `ply ${looked} of ${picture.at}`;
  cells.show(sceneOf(looked).letters, [], new Set());
  offer([button('Back to the present', () => lookAt(picture.at), 'choice')]);
  say(`looking back at ply ${looked} of ${picture.at}: ${words}`);
}

// Says what ended the game, where choices were offered before.
function showWhy() {
  const why = looked === null && picture.end ? `The game is over: ${picture.end[0]}.` : '';
  if (find('why').textContent !== why) find('why').textContent = why;
  find('choices').hidden = why !== '';
}

function draw(isNext) {
  isBegun = false;
  const count = (looked ?? picture.at) - game.first;
  const scene = sceneAt(game, count);
  view.show(scene.letters, sceneAt(game, Math.max(count - 1, 0)).letters, turnAt(game, count).map((ply) => ply.way), isNext);
  // A game that nobody has drawn is shown as text.
  if (picture.texts) find('plain').textContent = picture.texts[count];
  const end = looked === null ? picture.end : null;
  if (end) view.prove(end[1]);
  const last = game.plies[count - 1];
  view.svg.setAttribute('aria-label', `The board after ${count + game.first} plies${last ? `, the last one ${last.token} by p${last.seat}` : ''}${end ? `. The game is over: ${end[0]}` : ''}`);
  seats.forEach((seat, number) => seat.wear(view.board, scene.owners[number]));
}

async function order(word, more = {}) {
  const fail = (words) => {
    // The ply goes back; any other order leaves one that is on its way where it stands.
    if (word === 'play') isOwn = false;
    if (picture && !isOwn) showClicks();
    say(words, true);
  };
  try {
    const answer = await fetch('orders', { method: 'POST', headers: orderHeaders(), body: JSON.stringify({ order: word, ...more }) });
    const { said } = await answer.json();
    if (answer.ok && word === 'leave') return location.assign('/play/');
    if (!answer.ok) {
      fail(answer.status === 403 ? `${said}; the game is kept, and listed there under Play` : said);
      if (answer.status === 403) allow();
    }
  } catch {
    fail('the server does not answer');
  }
}

// What cannot be taken back is asked first, while the game is in progress.
const GRAVE = {
  resign: ['Resign this game? The other side wins.', 'Resign'],
  new: ['This game is not over. Begin another one in its place? Its log is kept.', 'New game'],
  swap: ['This game is not over. Begin another one in its place, with the seats exchanged? Its log is kept.', 'Swap seats'],
  leave: ['This game is not over. Leave it? Its bots end, and it is kept: “Another game” lists it.', 'Leave'],
};

async function deed(word) {
  const grave = GRAVE[word];
  const isRunning = !picture.ending && (picture.at > 0 || word === 'resign');
  if (grave && isRunning && !(await sure(...grave))) return;
  order(word);
}

function say(words, isFault) {
  if (find('said').textContent !== words) find('said').textContent = words;
  find('said').classList.toggle('bad', !!isFault);
}

// Whether the reader plays the seat that decides: nobody else does where the other seat is a bot's.
const isMine = () => known && picture.decider && picture.seats[picture.decider - 1].isPerson && picture.seats.filter((seat) => seat.isPerson).length === 1;

// Who decides, or how the game ended.
function turnWords() {
  if (isLost) return 'No connection to the server';
  if (picture.ending) return picture.ending;
  const { name, isPerson } = picture.seats[picture.decider - 1];
  if (picture.isHalted) return isMine() ? 'Your turn; the clocks stand still' : `Turn of p${picture.decider} (${name}); the clocks stand still`;
  if (picture.thinks) return `${picture.thinks} thinks …`;
  if (picture.waits) return `${name} waits for “Bot plays” or your ply`;
  if (isMine()) return 'Your turn';
  return isPerson ? `Turn of p${picture.decider} (${name})` : `${name} is asked`;
}

// Says what is to be done now, on the page and in the title of its tab.
function showTask() {
  find('turn').textContent = turnWords();
  find('turn').classList.toggle('is-over', !!picture.ending && !isLost);
  const isOpen = looked === null && !picture.ending && !isLost && !picture.isHalted && (picture.clicks || !picture.thinks);
  const chain = path.length > 1 && siblings().some((click) => click[0] === 'stop');
  const step = !path.length ? picture.task : siblings().every(isChoice) ? 'choose one of the buttons, or a marked cell'
    : chain ? 'continue the chain to a marked cell, or stop here' : `choose where ${path.findLast((click) => !isChoice(click))?.[0] ?? 'it'} goes: one of the marked cells`;
  find('task').textContent = isOpen ? sentence(step) : '';
  document.title = `${turnWords()} · ${title}`;
}

function show(next) {
  const key = ({ game: number, plies, ahead }) => JSON.stringify([number, plies.map((ply) => ply[0]), ahead]);
  const isNew = picture === null || picture.game !== next.game;
  const hasMoved = isNew || key(picture) !== key(next);
  const isNext = !isNew && next.at > picture.at && looked === null && !isOwn;
  const isLonger = !isNew && next.at >= picture.at;
  picture = next;
  const [letters, owners] = [picture.from.letters, picture.from.owners];
  game = {
    first: picture.at - picture.plies.length,
    start: letters,
    owners,
    plies: picture.plies.map(([ply, seat, turn, , changes, way, turned]) => ({ token: ply, seat, turn, changes, way, owners: turned })),
  };
  const isSecond = picture.seats[1].isPerson && !picture.seats[0].isPerson;
  if (isNew && isSecond !== view.isTurned) flip();
  if (hasMoved) {
    isOwn = false;
    path = [];
    drag.cancel();
    past.list(picture.plies, picture.seats.length, game.first, picture.ahead);
    // A reader who looks back stays there while plies are added.
    if (!isLonger || looked < game.first) looked = null;
  }
  find('summary').textContent = `game ${picture.game}, ${picture.at} ${picture.at === 1 ? 'ply' : 'plies'}`;
  if (seats.length !== picture.seats.length) seatAll(picture.seats.length);
  seats.forEach((seat, number) => {
    const { name, search } = picture.seats[number];
    seat.name.textContent = `${name} `;
    seat.name.append(element('span', 'dim', `p${number + 1}`));
    seat.search.textContent = search;
    seat.search.title = search;
    seat.node.classList.toggle('decides', picture.decider === number + 1);
  });
  find('unkept').textContent = picture.unkept;
  find('unkept').hidden = !picture.unkept;
  find('advice').textContent = picture.advice?.words ?? '';
  find('position').textContent = picture.position;
  showOrders();
  if (hasMoved) showTime(isNext);
  else if (looked === null) showTurn();
  tick();
}

// What has changed is no ply: a click that was begun stays, and so does a ply that was sent and not yet answered.
function showTurn() {
  showTask();
  showWhy();
  if (!isOwn) showClicks();
}

// Which orders can be given now.
function showOrders() {
  for (const node of document.querySelectorAll('[data-order]')) enable(node, !isLost && picture.can.includes(node.dataset.order));
}

function tick() {
  if (!picture) return;
  seats.forEach((seat, number) => {
    const clock = picture.seats[number].clock;
    const runs = picture.decider === number + 1 && !picture.isHalted && !(picture.waits && !picture.thinks);
    const spent = runs ? Math.max(0, told - picture.told) + (halted ?? performance.now()) - heard : 0;
    seat.clock.textContent = clock === null ? '' : time(Math.max(0, clock - spent));
  });
}

function flip() {
  view.turn();
  cells.settle();
  seatAll(seats.length);
  if (picture) showTime(false);
  lean(find('choices'), leaning);
}

const KEYS = { u: 'undo', r: 'redo', h: 'hint', e: 'eval', n: 'step' };

// What looks back and forth: the buttons, and their keys.
const LOOKS = {
  first: () => lookAt(0),
  back: () => lookAt((looked ?? picture.at) - 1),
  on: () => lookAt((looked ?? picture.at) + 1),
  last: () => lookAt(picture.at),
};
const LOOK_KEYS = { ArrowLeft: 'back', ArrowRight: 'on', Home: 'first', End: 'last', ',': 'back', '.': 'on' };

async function copied(text, what) {
  const isDone = await text.then(copy).catch(() => false);
  find('copied').textContent = isDone ? `copied ${what}` : `${what} cannot be copied here`;
}

function listen() {
  for (const node of document.querySelectorAll('[data-order]')) node.addEventListener('click', () => deed(node.dataset.order));
  for (const node of document.querySelectorAll('[data-look]')) node.addEventListener('click', () => LOOKS[node.dataset.look]());
  find('flip').addEventListener('click', flip);
  find('copy-position').addEventListener('click', () => copied(Promise.resolve(picture?.position ?? ''), 'the position'));
  find('copy-log').addEventListener('click', () => copied(fetch('game.pgn').then((answer) => answer.text()), 'the game log'));
  find('more').addEventListener('click', () => {
    const isOpen = find('orders').classList.toggle('is-open');
    find('more').setAttribute('aria-expanded', isOpen);
    if (isOpen) find('rest').scrollIntoView({ block: 'nearest' });
  });
  addEventListener('resize', () => lean(find('choices'), leaning));
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || find('sure').open || !picture) return;
    if (event.key === 'Escape' && looked !== null) lookAt(picture.at);
    else if (event.key === 'Escape' && path.length) unclick();
    else if (LOOK_KEYS[event.key]) {
      event.preventDefault();
      LOOKS[LOOK_KEYS[event.key]]();
    } else if (event.key === 'f') flip();
    else if (known && KEYS[event.key] && picture.can.includes(KEYS[event.key])) order(KEYS[event.key]);
  });
}

// Whether those who are here may play. A server that was started again may have another token.
async function allow() {
  const checked = await checkedToken().catch(() => known);
  const hasChanged = known !== checked;
  known = checked;
  find('orders').hidden = !known;
  find('no-token').hidden = !!known;
  if (hasChanged && picture) showTime(false);
}

theme();
listen();
listenForRules();
allow();
whenTokenChanges(allow);
seatAll(seats.length);
follow('events', {
  clock(now) { [told, heard] = [now, performance.now()]; },
  picture(next) {
    show(next);
    document.documentElement.classList.add('is-ready');
  },
  words(text, isHalted, isDead) {
    const wasLost = isLost;
    halted = isHalted ? halted ?? performance.now() : null;
    isLost = !!isDead;
    document.querySelector('.play').classList.toggle('is-lost', isLost);
    if (text) say(text, true);
    if (!picture) return;
    if (wasLost && !isLost) allow();
    tick();
    showOrders();
    showTask();
    if (wasLost !== isLost && looked === null && !text) showClicks();
  },
});
setInterval(tick, 100);
