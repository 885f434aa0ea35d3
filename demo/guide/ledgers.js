import { h } from './dom.js'
import { fold } from './fold.js'
import { panel } from './panel.js'
import { money } from './words.js'

/** Panels of the two simulators' ledgers, newest line first. */
export function ledgerPanels() {
  return [
    [
      panel(document.querySelector('#gateway-list'), { render: gateway, empty: 'No payments yet.' }),
      (ledgers) => ledgers.gateway.toReversed(),
    ],
    [
      panel(document.querySelector('#network-list'), { render: network, empty: 'No orders yet.' }),
      (ledgers) => ledgers.network.toReversed(),
    ],
  ]
}

const gateway = (lines) =>
  table(
    'payments',
    ['Reference', 'Now', 'Authorised', 'Captured', 'Refunded', 'Cancelled'],
    lines.map((line) => [
      h('span', { class: 'code' }, line.reference, h('small', { class: 'muted' }, line.psp_reference)),
      standing(line),
      ...[line.authorised, line.captured, line.refunded, line.cancelled].map((cents) =>
        h('span', { class: cents === 0 ? 'muted' : '' }, money(cents)),
      ),
    ]),
  )

/** Describes the state of a payment's money. Once an order is over, authorised money has been captured or cancelled. */
function standing({ authorised, captured, refunded, cancelled }) {
  if (authorised === 0) return pill('', 'nothing held')
  if (refunded > 0) return pill('', refunded < captured ? 'partly refunded' : 'refunded')
  if (captured > 0) return pill('good', 'captured')
  return cancelled >= authorised ? pill('', 'cancelled') : pill('warn', 'held')
}

const tones = { completed: 'good', failed: 'bad', cancelled: 'bad', rejected: 'bad' }

const network = (lines) =>
  table(
    'orders',
    ['Order', 'What', 'State'],
    lines.map((line) => [
      h('span', { class: 'code' }, line.external_id ?? 'not ours'),
      line.action.replaceAll('_', ' '),
      pill(tones[line.state] ?? 'warn', line.state),
    ]),
  )

const pill = (tone, text) => h('span', { class: `pill ${tone}` }, text)

/** Creates a table with explicit roles, because on a narrow screen CSS shows each row as a list of cells. */
function table(name, titles, rows) {
  const body = h(
    'tbody',
    { role: 'rowgroup' },
    rows.map((cells) =>
      h(
        'tr',
        { role: 'row' },
        cells.map((cell, at) => h('td', { role: 'cell', 'data-title': titles[at] }, cell)),
      ),
    ),
  )
  const head = h(
    'tr',
    { role: 'row' },
    titles.map((title) => h('th', { role: 'columnheader', scope: 'col' }, title)),
  )
  const whole = h(
    'table',
    { role: 'table', class: name, 'aria-label': name },
    h('thead', { role: 'rowgroup' }, head),
    body,
  )
  return h('div', { class: 'card ledger' }, whole, fold(body, 8, name))
}
