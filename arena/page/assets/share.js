// What makes a picture of a game that others can see, and what plays on from it: commands to copy.

import { copy } from './copy.js';
import { element } from './data.js';

// The commands, each with what it gives. They are typed in the directory of the run.
const COMMANDS = [
  ['an animated picture of the game', (number) => `arena replay journal.jsonl --game ${number} --gif game-${number}.gif`],
  ['the same as a piece of HTML, to paste into a page', (number) => `arena replay journal.jsonl --game ${number} --html game-${number}.html`],
  ['a page of the game on which “Play from here” plays on from any position', () => 'arena serve . --allow-actions'],
];

// Lists the commands for a game.
export function share(node, number) {
  const rows = COMMANDS.map(([what, command]) => {
    const row = element('p', 'note');
    const button = element('button', 'small', 'Copy');
    button.type = 'button';
    button.setAttribute('aria-label', `Copy the command for ${what}`);
    const said = element('span', 'dim');
    said.setAttribute('role', 'status');
    button.addEventListener('click', async () => { said.textContent = (await copy(command(number))) ? ' copied' : ' cannot be copied here'; });
    row.append(element('code', '', command(number)), ' ', button, said, element('br'), what);
    return row;
  });
  node.replaceChildren(element('summary', '', 'Share this game, or play from here'), element('p', 'note', 'In the directory of the run, these commands write or serve:'), ...rows);
}
