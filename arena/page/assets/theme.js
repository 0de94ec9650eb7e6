// Light or dark, by a button. What was chosen holds for all pages of the same server, or the same folder of files, and is kept.

const KEY = 'arena-theme';

// A browser may keep nothing, or forbid to ask.
function kept() {
  try {
    const name = localStorage.getItem(KEY);
    return name === 'dark' || name === 'light' ? name : null;
  } catch {
    return null;
  }
}

function keep(name) {
  try {
    localStorage.setItem(KEY, name);
  } catch {
    // It then holds for this page.
  }
}

export function theme() {
  const button = document.getElementById('theme');
  const root = document.documentElement;
  const system = matchMedia('(prefers-color-scheme: dark)');
  const isDark = () => (root.dataset.theme ?? (system.matches ? 'dark' : 'light')) === 'dark';
  const name = () => { button.textContent = isDark() ? 'Light' : 'Dark'; };
  const wear = (chosen) => {
    if (chosen) root.dataset.theme = chosen;
    else delete root.dataset.theme;
    name();
  };
  button.hidden = false;
  button.addEventListener('click', () => {
    wear(isDark() ? 'light' : 'dark');
    keep(root.dataset.theme);
  });
  // Another page of ours, open at the same time, may have chosen.
  addEventListener('storage', (event) => { if (event.key === KEY) wear(kept()); });
  system.addEventListener('change', name);
  wear(kept());
}
