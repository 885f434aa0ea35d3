import { copyButton } from './copy.js'
import { h, icon } from './dom.js'
import { letterOf, safeAddress, wordsOfLinks } from './letter.js'
import { dayOf, recipientOf, timeOf } from './words.js'

/** True if emails are shown as sent rather than as text. The choice is kept for the next message. */
let asSent = false

/** Shows a message as a phone or an email program would. */
export const messageView = (message) => (message.channel === 'sms' ? textView(message) : mailView(message))

/** Shows a text message: its recipient's number, and its text in a bubble. */
function textView(message) {
  const sent = new Date(message.sent_at)
  return h(
    'article',
    { class: 'card' },
    h(
      'header',
      { class: 'inset' },
      h('span', { class: 'pill' }, iconOf(message), channelOf(message)),
      h('h2', { tabindex: '-1' }, recipientOf(message.to)),
      h('p', { class: 'muted' }, h('a', { href: `?to=${encodeURIComponent(message.to)}` }, 'All texts to this number')),
    ),
    linksOf(message),
    h(
      'div',
      { class: 'body texts' },
      h('p', { class: 'muted' }, dayOf(sent)),
      h('p', { class: 'bubble' }, linked(message.text)),
      h('p', { class: 'muted' }, h('time', { datetime: message.sent_at }, timeOf(sent))),
    ),
  )
}

/** Shows an email: subject, recipient, time and text, with its links as buttons. */
function mailView(message) {
  const sent = new Date(message.sent_at)
  const heading = h('h2', { tabindex: '-1' }, titleOf(message))
  const body = h('div', { class: 'body' })
  const choice = message.html ? choiceOf(draw) : null
  draw()
  return h(
    'article',
    { class: 'card' },
    h(
      'header',
      { class: 'inset' },
      h('span', { class: 'pill' }, iconOf(message), channelOf(message)),
      heading,
      h('p', { class: 'muted' }, 'To ', h('a', { href: `?to=${encodeURIComponent(message.to)}` }, message.to)),
      h('p', { class: 'muted' }, h('time', { datetime: message.sent_at }, `${dayOf(sent)}, ${timeOf(sent)}`)),
    ),
    linksOf(message),
    filesOf(message),
    choice,
    body,
  )

  function draw() {
    body.replaceChildren(
      asSent && message.html ? letterOf(message.html) : h('div', { class: 'plain-text' }, linked(message.text)),
    )
  }
}

export const channelOf = (message) => (message.channel === 'sms' ? 'Text message' : 'Email')

export const iconOf = (message) => icon(message.channel === 'sms' ? 'text' : 'mail')

/** Title of a message. A text message has no subject, so its first words are shown. */
export const titleOf = (message) => message.subject || firstWords(message.text.trim().split('\n')[0]) || 'No subject'

const firstWords = (text) => (text.length > 64 ? `${text.slice(0, 64).replace(/\s+\S*$/, '')} …` : text)

function choiceOf(draw) {
  const buttons = [
    ['Text', false],
    ['As sent', true],
  ].map(([text, value]) =>
    h('button', { type: 'button', 'aria-pressed': String(asSent === value), onclick: () => choose(value) }, text),
  )
  return h('div', { class: 'choice', role: 'group', 'aria-label': 'How to read it' }, buttons)

  function choose(value) {
    asSent = value
    buttons.forEach((button, at) => button.setAttribute('aria-pressed', String((at === 1) === value)))
    draw()
  }
}

function linksOf(message) {
  const words = wordsOfLinks(message.html ?? '')
  const links = message.links.map(trimmed).filter((link) => safeAddress(link))
  const codes = codesOf(message.text)
  if (links.length + codes.length === 0) return null
  const buttons = links.map((link, at) =>
    h('a', { class: `button ${at === 0 ? '' : 'quiet'}`, href: link }, labelOf(link, words.get(link))),
  )
  return h(
    'nav',
    { class: 'links', 'aria-label': 'In this message' },
    codes.map((code) => copyButton('Code', code)),
    buttons,
  )
}

/** Links to an email's attachments, each of which opens in a new tab. */
function filesOf({ attachments }) {
  if (attachments.length === 0) return null
  const files = attachments.map(({ filename, url }) =>
    h('li', null, h('a', { href: url, target: '_blank' }, icon('file'), filename)),
  )
  return h('ul', { class: 'files', role: 'list', 'aria-label': 'Attachments' }, files)
}

/** Label of a link's button. A link whose text is only its URL gets a label with its target. */
function labelOf(link, words) {
  if (words && words !== link) return words
  const { host, pathname } = new URL(link)
  return pathname === '/' ? `Open ${host}` : `Open ${pathname}`
}

/** Returns the PINs in a text: separate groups of six digits, if the text mentions a code or PIN. */
const codesOf = (text) =>
  /\b(?:code|PIN)\b/i.test(text) ? [...new Set(text.match(/(?<![\w$.,/-]|\d )\d{6}(?![\w/-])/g))] : []

/** Turns the URLs in a text into links. */
function linked(text) {
  return text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, at) => {
      if (at % 2 === 0) return part
      const link = trimmed(part)
      return [h('a', { href: link }, link), part.slice(link.length)]
    })
    .flat()
}

/** Removes punctuation after a URL, which is not part of the URL. */
const trimmed = (link) => link.replace(/[.,;:!?)\]]+$/, '')
