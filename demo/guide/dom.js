/**
 * Creates an element. Strings become text, never markup. Attributes and children that are null, undefined or false are left out.
 * An attribute whose value is a function, such as `onclick`, becomes an event listener.
 */
export function h(tag, attributes, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value)
    else if (isThere(value)) element.setAttribute(name, value === true ? '' : value)
  }
  element.append(...children.flat().filter(isThere))
  return element
}

const isThere = (value) => value !== null && value !== undefined && value !== false

const paths = {
  arrow: 'M5 12h14M13 6l6 6-6 6',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  file: 'M6 3h8l4 4v14H6zM13.5 3v4.5H18M9 12h6M9 16h6',
  mail: 'M3 6h18v12H3zM3.5 7l8.5 6.5L20.5 7',
  phone: 'M8 2.5h8a1 1 0 0 1 1 1v17a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1v-17a1 1 0 0 1 1-1ZM11 18.5h2',
  text: 'M4 5h16v11.5H10.5L6 20.5v-4H4z',
  warn: 'M12 4 2.5 20h19L12 4ZM12 10v4.5M12 17.2v.01',
}

/** Creates a decorative icon, which screen readers ignore. The text next to it must say the same. */
export function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  svg.setAttribute('class', 'icon')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('aria-hidden', 'true')
  path.setAttribute('d', paths[name])
  svg.append(path)
  return svg
}

/** Announces a sentence to screen readers. */
export function announce(sentence) {
  document.querySelector('#said').textContent = sentence
}
