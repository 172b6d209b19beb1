// Makes and changes elements. Text is only ever set as text: no function here or elsewhere on the page parses markup.

const SVG = 'http://www.w3.org/2000/svg';

export const byId = id => document.getElementById(id);

/** Makes an element with attributes and children; a string becomes a text node. */
export function element(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** Makes an SVG element. */
export function shape(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** Sets the text of an element if it differs, so that an unchanged figure costs no layout. */
export function setText(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

export function setClass(target, name, on) {
  if (target.classList.contains(name) !== on) target.classList.toggle(name, on);
}

/** Sets the path that has the given class within a picture, and adds it if it is missing. */
export function setPath(picture, name, d) {
  let path = picture.querySelector(`path.${name}`);
  if (!path) picture.append(path = shape('path', { class: name }));
  if (path.getAttribute('d') !== d) path.setAttribute('d', d);
}

/** Updates the children of a parent, one for each item in turn. They stay while their number does, and so does a selection in them. */
export function updateEach(parent, items, create, update) {
  if (parent.children.length !== items.length) parent.replaceChildren(...items.map(() => create()));
  items.forEach((item, i) => update(parent.children[i], item));
}

/** Fills a list of terms and their values. */
export function fill(list, pairs) {
  updateEach(list, pairs, () => element('div', {}, element('dt'), element('dd')), (row, [name, value]) => {
    setText(row.firstElementChild, name);
    setText(row.lastElementChild, value);
  });
}

/** Brings the children of a parent into the given order; elements that stay in place are not touched and keep the focus. */
export function arrange(parent, children) {
  const wanted = new Set(children);
  for (const child of [...parent.children]) if (!wanted.has(child)) child.remove();
  children.forEach((child, i) => {
    if (parent.children[i] !== child) parent.insertBefore(child, parent.children[i] ?? null);
  });
}

/** Whether the user points at or has the focus in an element, whose rows must then not move. */
export function inUse(target) {
  return target.matches(':hover') || target.contains(document.activeElement);
}

/** Makes the buttons of a group exclusive; calls `changed` with the view of the one that is pressed. */
export function group(target, changed) {
  target.addEventListener('click', event => {
    const pressed = event.target.closest('button');
    if (pressed) {
      press(target, pressed.dataset.view);
      changed(pressed.dataset.view);
    }
  });
}

export function press(target, view) {
  for (const button of target.children) button.setAttribute('aria-pressed', button.dataset.view === view);
}
