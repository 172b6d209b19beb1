// Copies text exactly as it is. A page without TLS that is not of this machine has no navigator.clipboard.

/** Copies a text; returns whether the browser permitted it. Call it in answer to a click. */
export async function copyText(text) {
  const { clipboard } = navigator;
  const copied = clipboard ? await clipboard.writeText(text).then(() => true, () => false) : false;
  return copied || copyByEvent(text);
}

/** Puts the text into the event of a copy, because a text area would change line breaks and take the focus. */
function copyByEvent(text) {
  const fill = event => {
    event.clipboardData.setData('text/plain', text);
    event.preventDefault();
  };
  document.addEventListener('copy', fill);
  try {
    return document.execCommand('copy');
  } finally {
    document.removeEventListener('copy', fill);
  }
}
