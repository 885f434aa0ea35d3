import { expect, test } from 'vitest'
import { fantailProvider } from '#quality/support/provider.ts'
import { parseLayout } from './layout.ts'

const { layout } = fantailProvider
const item = { text: 'Plans', url: '/plans/' }

function faultsOf(change: object): string[] {
  const faults: string[] = []
  parseLayout('layout.json', JSON.stringify({ ...layout, ...change }), (line) => faults.push(line))
  return faults
}
const header = (...items: object[]) => ({ menus: { ...layout.menus, header: items } })
const footer = (...columns: object[]) => ({ menus: { ...layout.menus, footer: columns } })

test('the demo’s layout.json has no errors', () => {
  expect(faultsOf({})).toEqual([])
  expect(layout.menus.header.map(({ text }) => text)).toEqual(['Plans', 'Coverage', 'Help'])
  expect(layout.plan_selection_terms.length).toBeGreaterThan(2)
})

test('all menus in layout.json may be empty', () => expect(faultsOf({ menus: { header: [], footer: [] } })).toEqual([]))

test('the short footer in an older layout.json is accepted and ignored', () => {
  const menus = { ...layout.menus, short_footer: [item] }
  const faults: string[] = []
  expect(parseLayout('layout.json', JSON.stringify({ ...layout, menus }), (line) => faults.push(line))).toEqual(layout)
  expect(faults).toEqual([])
})

const notALink = (url: string) => `must be /path, https://, mailto: or tel:, not ${JSON.stringify(url)}.`

test.each([
  [
    header({ ...item, url: 'javascript:alert(1)' }),
    `layout.json: menus.header.0.url: ${notALink('javascript:alert(1)')}`,
  ],
  [
    header(item, { ...item, url: '//elsewhere.example' }),
    `layout.json: menus.header.1.url: ${notALink('//elsewhere.example')}`,
  ],
  [header({ ...item, url: '/a\nb' }), `layout.json: menus.header.0.url: ${notALink('/a\nb')}`],
  [header(item, { ...item, text: 'Prices' }), 'layout.json: menus.header.1.url: /plans/ appears twice.'],
  [header({ text: 'Plans' }), 'layout.json: menus.header.0.url: is missing.'],
  [header({ ...item, icon: 'star' }), 'layout.json: menus.header.0.icon: is unknown.'],
  [header({ ...item, text: ' ' }), 'layout.json: menus.header.0.text: must not be empty.'],
  [header({ ...item, text: 'Pl\nans' }), 'layout.json: menus.header.0.text: must be one line.'],
  [header({ ...item, text: 'P'.repeat(61) }), 'layout.json: menus.header.0.text: must have 60 characters at most.'],
  [
    footer({ title: 'Help', items: [] }, { title: 'Help', items: [] }),
    'layout.json: menus.footer.1.title: Help appears twice.',
  ],
  [footer({ title: 'Help', items: [item, item] }), 'layout.json: menus.footer.0.items.1.url: /plans/ appears twice.'],
  [{ menus: { ...layout.menus, footer: undefined } }, 'layout.json: menus.footer: is missing.'],
  [{ faq_url: 'http://fantail.example/faq' }, `layout.json: faq_url: ${notALink('http://fantail.example/faq')}`],
  [{ plan_selection_terms: 'All sales are final.' }, 'layout.json: plan_selection_terms: must be a list.'],
  [{ plan_selection_terms: ['Fine.', 4] }, 'layout.json: plan_selection_terms.1: must be a text.'],
  [{ copyright: undefined }, 'layout.json: copyright: is missing.'],
  [{ banner: 'Sale!' }, 'layout.json: banner: is unknown.'],
])('an error in layout.json is reported in one line: case %#', (change, line) =>
  expect(faultsOf(change)).toEqual([line]),
)
