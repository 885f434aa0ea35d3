import { call } from './call.js'
import { announce, h } from './dom.js'
import { channelOf, iconOf, messageView, titleOf } from './message.js'
import { failure } from './panel.js'
import { isSeen, see } from './seen.js'
import { count, recipientOf, stampOf } from './words.js'

const everyMs = 4_000
const pageTitle = document.title

const to = new URLSearchParams(location.search).get('to')?.trim() ?? ''
const page = document.querySelector('#mailbox')
const list = document.querySelector('#messages')
const trouble = document.querySelector('#trouble')
const reader = document.querySelector('#reader')
const nothingOpen = [...reader.children]
const rows = new Map()

let messages = null
let opened = null
let timer
let turn = 0

document.querySelector('#to').value = to
document.querySelector('#everybody').hidden = to === ''
document.addEventListener('visibilitychange', refresh)
addEventListener('pageshow', (event) => event.persisted && refresh())
addEventListener('hashchange', open)
document.querySelector('#back').addEventListener('click', close)
refresh()

/** Loads the messages at once, and again every few seconds while the page is visible. */
async function refresh() {
  clearTimeout(timer)
  if (document.visibilityState !== 'visible') return
  const mine = ++turn
  try {
    const answer = await call(`/demo/api/messages/${to ? `?to=${encodeURIComponent(to)}` : ''}`)
    if (mine !== turn) return
    trouble.replaceChildren()
    take(answer)
  } catch (error) {
    if (mine !== turn) return
    if (!messages) list.replaceChildren()
    if (!trouble.firstChild) trouble.replaceChildren(failure(error.message, refresh))
  }
  list.setAttribute('aria-busy', 'false')
  timer = setTimeout(refresh, everyMs)
}

function take(answer) {
  const known = messages && new Set(messages.map((message) => message.id))
  const arrived = known ? answer.filter((message) => !known.has(message.id)).length : 0
  messages = answer
  if (arrived > 0) announce(`${count(arrived, 'new message')}.`)
  draw()
  if (!known) open()
}

// Each row is created once and then moved, so that it keeps the focus.
function draw() {
  const wanted = messages.length > 0 ? messages.map(rowOf) : [h('li', { class: 'empty' }, emptyWords())]
  const present = [...list.children]
  if (messages.length === 0 || present.length !== wanted.length || wanted.some((row, at) => row !== present[at])) {
    for (const row of present) if (!wanted.includes(row)) row.remove()
    wanted.forEach((row, at) => row !== list.children[at] && list.insertBefore(row, list.children[at] ?? null))
  }
  document
    .querySelector('#recipients')
    .replaceChildren(...[...new Set(messages.map((message) => message.to))].map((value) => h('option', { value })))
  mark()
}

function emptyWords() {
  if (to) return [h('b', null, `No messages for ${to} yet.`), ' New messages appear here automatically.']
  return [
    h('b', null, 'No messages yet.'),
    ' ',
    h('a', { href: '/activate/' }, 'Activate a SIM'),
    ', and its messages arrive here.',
  ]
}

function rowOf(message) {
  const made = rows.get(message.id)
  if (made) return made
  const row = h(
    'li',
    null,
    h(
      'a',
      { href: `#${message.id}` },
      iconOf(message),
      h('span', { class: 'visually-hidden' }, `${channelOf(message)}: `),
      h('span', { class: 'subject' }, titleOf(message)),
      h('span', { class: 'visually-hidden unread-word' }, ' (unread) '),
      h('span', { class: 'to muted' }, recipientOf(message.to)),
      h('time', { class: 'muted', datetime: message.sent_at }, stampOf(new Date(message.sent_at))),
    ),
  )
  rows.set(message.id, row)
  return row
}

/** Marks the unread rows and the open row, and shows the number of unread messages in the page's title. */
function mark() {
  for (const { id } of messages) {
    const row = rows.get(id)
    row.classList.toggle('unread', !isSeen(id))
    if (id === opened) row.firstElementChild.setAttribute('aria-current', 'true')
    else row.firstElementChild.removeAttribute('aria-current')
  }
  const unread = messages.filter(({ id }) => !isSeen(id)).length
  document.title = unread > 0 ? `(${unread}) ${pageTitle}` : pageTitle
}

/** Opens the message in the URL's fragment, which changes with links, reload and Back. */
function open() {
  const id = location.hash.slice(1)
  const message = messages?.find((each) => each.id === id)
  const before = opened
  opened = message?.id ?? null
  page.classList.toggle('reading', opened !== null)
  if (message) {
    see(message.id)
    reader.replaceChildren(messageView(message))
    reader.querySelector('h2').focus({ preventScroll: true })
    if (before === null) scrollTo({ top: 0 })
  } else {
    reader.replaceChildren(...nothingOpen)
    rows.get(before)?.firstElementChild.focus()
  }
  if (messages) mark()
}

function close() {
  history.pushState(null, '', location.pathname + location.search)
  open()
}
