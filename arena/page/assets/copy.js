// Puts a text where it can be pasted from.

// Resolves to whether it could be done. Browsers allow it of their own accord only on this machine and over HTTPS.
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    const before = document.activeElement;
    area.value = text;
    area.setAttribute('readonly', '');
    area.className = 'sr';
    document.body.append(area);
    area.select();
    const isDone = document.execCommand('copy');
    area.remove();
    before?.focus();
    return isDone;
  }
}
