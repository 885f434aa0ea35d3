import { h } from './dom.js'

/** HTML elements that an email may contain, with the element that replaces each. Headings move down below the message's subject. */
const kept = {
  H1: 'h3',
  H2: 'h4',
  H3: 'h5',
  H4: 'h5',
  H5: 'h5',
  H6: 'h5',
  P: 'p',
  DIV: 'div',
  BLOCKQUOTE: 'blockquote',
  PRE: 'pre',
  BR: 'br',
  HR: 'hr',
  UL: 'ul',
  OL: 'ol',
  LI: 'li',
  TABLE: 'table',
  THEAD: 'thead',
  TBODY: 'tbody',
  TFOOT: 'tfoot',
  TR: 'tr',
  TD: 'td',
  TH: 'th',
  CAPTION: 'caption',
  B: 'b',
  STRONG: 'strong',
  I: 'i',
  EM: 'em',
  SMALL: 'small',
  CODE: 'code',
}

/** Elements that are removed with their content. Other unknown elements are replaced by their content. */
const dropped = new Set([
  'SCRIPT',
  'STYLE',
  'TEMPLATE',
  'NOSCRIPT',
  'TITLE',
  'IFRAME',
  'OBJECT',
  'EMBED',
  'SVG',
  'MATH',
  'VIDEO',
  'AUDIO',
  'CANVAS',
  'TEXTAREA',
  'SELECT',
  'BUTTON',
])

/**
 * Shows an email's HTML in this page's own style. None of the email's elements is used: known elements are created again without
 * attributes, and a link keeps its URL only if that is a web or email address.
 */
export function letterOf(html) {
  return h('div', { class: 'letter' }, childrenOf(parse(html).body))
}

/** Returns the text of each link in an email, by URL. */
export function wordsOfLinks(html) {
  return new Map(
    [...parse(html).querySelectorAll('a[href]')].map((link) => [link.getAttribute('href'), link.textContent.trim()]),
  )
}

/** Returns an http, https or mailto URL, and null for any other text. */
export function safeAddress(text) {
  const url = URL.parse(text ?? '')
  return url && ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : null
}

const parse = (html) => new DOMParser().parseFromString(quiet(html), 'text/html')

/** Removes styles and handlers before parsing, because the page's policy would report each of them. This is no security measure. */
const quiet = (html) =>
  html
    .replaceAll(/<style\b.*?<\/style>/gis, '')
    .replaceAll(/<[a-z][^>]*>/gi, (tag) => tag.replaceAll(/\s(?:style|on\w+)=(?:"[^"]*"|'[^']*'|[^\s>]+)/gi, ''))

const childrenOf = (node) => [...node.childNodes].flatMap(copyOf)

function copyOf(node) {
  if (node.nodeType === Node.TEXT_NODE) return [node.data]
  if (node.nodeType !== Node.ELEMENT_NODE) return []
  const tag = node.tagName.toUpperCase()
  if (dropped.has(tag)) return []
  if (tag === 'A') return linkOf(node)
  if (tag === 'IMG') return [node.getAttribute('alt') ?? '']
  const children = childrenOf(node)
  return Object.hasOwn(kept, tag) ? [h(kept[tag], null, children)] : children
}

function linkOf(node) {
  const href = safeAddress(node.getAttribute('href'))
  if (!href) return childrenOf(node)
  // A link that is alone in its paragraph is shown as a button.
  const alone = node.parentNode.tagName === 'P' && node.parentNode.textContent.trim() === node.textContent.trim()
  return [h('a', { href, class: alone ? 'button' : null }, childrenOf(node))]
}
