import { copyButton } from './copy.js'
import { h, icon } from './dom.js'
import { fold } from './fold.js'
import { panel } from './panel.js'

/** The tone and the explanation that the guide shows for each behaviour. */
const simStories = {
  ok: ['good', 'The progress screen runs through, and a few seconds later the SIM is active.'],
  fails_once: [
    'warn',
    'You see “Something Went Wrong”. Press Try Again: the same order continues, and the card is charged once.',
  ],
  fails_always: [
    'bad',
    'The network rejects the SIM. The portal undoes everything: the payment is cancelled and the SIM can be used again.',
  ],
  slow: [
    '',
    'Takes about ten seconds, so you have time to watch, reload, or stop the demo half-way and start it again.',
  ],
}
const cardStories = {
  ok: ['good', 'The payment goes through.'],
  declined: ['bad', 'The bank declines. Nothing is charged, and you can try another card.'],
  timeout: [
    'warn',
    'The bank approves, but its answer gets lost. The portal finds out automatically, and charges once.',
  ],
  pending: ['warn', 'The bank takes its time. The portal waits, and continues when the answer arrives.'],
}
const portStories = {
  completes: ['good', 'The old provider releases the number. An email says that it has moved.'],
  fails: ['bad', 'The old provider refuses. An email says so, and the number of the SIM pack keeps working.'],
}

/** Returns the panels of the guide's lists, each with a function that selects its part of the fixtures. */
export function fixturePanels() {
  return [
    [at('sims', { render: sims, empty: 'There are no SIM packs left right now.' }), (fixtures) => fixtures.sims],
    [at('cards', { render: cards, empty: 'There are no test cards.' }), (fixtures) => fixtures.cards],
    [at('vouchers', { render: vouchers, empty: 'Every voucher has been used.' }), (fixtures) => fixtures.vouchers],
    [at('ports', { render: ports, empty: 'There are no numbers to bring.' }), (fixtures) => fixtures.ports],
    [
      at('customers', {
        render: customers,
        empty: 'There are no customers with a known password left. Activate a SIM to create your own.',
      }),
      (fixtures) => fixtures.customers,
    ],
  ]
}

const at = (id, list) => panel(document.querySelector(`#${id}-list`), list)

const pill = (tone, text) => h('span', { class: `pill ${tone}` }, text)

const list = (className, items) => h('ul', { class: className, role: 'list' }, items)

function sims(all) {
  const groups = Object.entries(Object.groupBy(all, (sim) => sim.behaviour)).map(([behaviour, group]) => {
    const [tone, story] = simStories[behaviour] ?? ['', '']
    const rows = list(
      'packs',
      group.map((sim) => h('li', null, copyButton('Phone number', sim.msisdn), copyButton('Last 4', sim.sim_serial))),
    )
    const head = h('div', { class: 'head' }, h('h4', null, group[0].about), pill(tone, behaviour))
    const more = fold(rows, behaviour === 'ok' ? 6 : 3, behaviour === 'ok' ? 'SIM packs' : `${behaviour} SIM packs`)
    return h('section', { class: `card inset sims ${behaviour}` }, head, h('p', { class: 'muted' }, story), rows, more)
  })
  return h('div', { class: 'groups' }, groups)
}

function cards(all) {
  const rows = list(
    'rows',
    all.map((card) => {
      const [tone, story] = cardStories[card.behaviour] ?? ['', '']
      return h(
        'li',
        { class: 'in-full' },
        h(
          'div',
          { class: 'head' },
          h('h4', null, card.about),
          pill(tone, card.behaviour),
          h('p', { class: 'muted' }, story),
        ),
        h(
          'div',
          { class: 'values' },
          copyButton('Card number', card.number),
          copyButton('Name on card', card.name),
          copyButton('Expiry', card.expiry),
          copyButton('Security code', card.cvc),
        ),
      )
    }),
  )
  return h('div', { class: 'card' }, rows)
}

function vouchers(all) {
  const rows = list(
    'rows',
    all.map(({ code, plan, about }) =>
      h(
        'li',
        null,
        copyButton('Code', code),
        h('p', null, h('b', null, plan), h('span', { class: 'muted' }, about)),
        use(code),
      ),
    ),
  )
  return h('div', { class: 'card' }, rows, fold(rows, 4, 'vouchers'))
}

const use = (code) =>
  h(
    'a',
    { class: 'go', href: `/use-voucher/${encodeURIComponent(code)}/`, 'aria-label': `Use it: ${code}` },
    'Use it',
    icon('arrow'),
  )

function ports(all) {
  const rows = list(
    'rows',
    all.map(({ msisdn, behaviour }) => {
      const [tone, story] = portStories[behaviour] ?? ['', '']
      return h(
        'li',
        null,
        copyButton('Number to bring', msisdn),
        h('p', null, pill(tone, behaviour), h('span', { class: 'muted' }, story)),
      )
    }),
  )
  return h('div', { class: 'card' }, rows, fold(rows, 8, 'numbers'))
}

function customers(all) {
  return list(
    'tiles',
    all.map((customer) =>
      h(
        'li',
        { class: 'card inset' },
        h('h4', null, customer.first_name),
        h('p', { class: 'muted' }, customer.about),
        copyButton('Email', customer.email),
        copyButton('Password', customer.password),
      ),
    ),
  )
}
