import { h } from './dom.js'

/** What a letter may be made of, and what it becomes: its first heading stands below the message's subject. */
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

/** These go with all that is in them; of any other tag only what is in it stays. */
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
 * A mail's HTML in this page's own looks. Nothing of the mail's markup is used: known tags are made anew without their
 * attributes, and a link keeps its address if that is one of the web or of mail.
 */
export function letterOf(html) {
  return h('div', { class: 'letter' }, childrenOf(parse(html).body))
}

/** The words of each link in a mail, by address. */
export function wordsOfLinks(html) {
  return new Map(
    [...parse(html).querySelectorAll('a[href]')].map((link) => [link.getAttribute('href'), link.textContent.trim()]),
  )
}

/** http, https and mailto; null for everything else. */
export function safeAddress(text) {
  const url = URL.parse(text ?? '')
  return url && ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : null
}

const parse = (html) => new DOMParser().parseFromString(quiet(html), 'text/html')

/** The page's policy holds for a parsed document too, and complains of each style and handler: these go first. No safeguard. */
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
  // Alone in its paragraph, a link is the mail's button.
  const alone = node.parentNode.tagName === 'P' && node.parentNode.textContent.trim() === node.textContent.trim()
  return [h('a', { href, class: alone ? 'button' : null }, childrenOf(node))]
}
