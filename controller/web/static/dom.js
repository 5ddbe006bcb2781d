// Small helpers over the DOM. Text goes in as text nodes alone, so a name with markup in it is shown as it was typed.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null && value !== false) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return node;
}

export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

// Writes only what differs, so that nothing flickers and a screen reader hears each change once.
export function setText(node, text) {
  const words = String(text ?? "");
  if (node.textContent !== words) node.textContent = words;
}

export function setAttribute(node, name, value) {
  if (value === null || value === undefined || value === false || value === "") node.removeAttribute(name);
  else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

const SMALLEST = 0.58; // of the size that words are engraved in

// Puts words into an SVG text that must not be wider than so much: long ones are engraved smaller, very long ones shorter.
export function engrave(text, words, width, size) {
  const fits = (said) => {
    setText(text, said);
    text.style.fontSize = `${size}px`;
    const wide = Math.max(1, text.getComputedTextLength() / width);
    text.style.fontSize = `${size * Math.max(1 / wide, SMALLEST)}px`;
    return 1 / wide >= SMALLEST;
  };
  const first = words.split(" ")[0];
  let letters = first.length;
  if (fits(words)) return;
  while (!fits(letters === first.length ? first : `${first.slice(0, letters)}…`) && letters > 1) letters -= 1;
}
