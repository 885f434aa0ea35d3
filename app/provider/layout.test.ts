import { expect, test } from 'vitest'
import { fantailProvider } from '#quality/support/provider.ts'
import { openJson } from '#kit/server/config/json-file.ts'
import { parseLayout } from './layout.ts'

const { layout } = fantailProvider
const item = { text: 'Plans', url: '/plans/' }

function faultsOf(change: object): string[] {
  const faults: string[] = []
  const file = openJson('layout.json', JSON.stringify({ ...layout, ...change }), (line) =>
    faults.push(line.replace('layout.json: line 1: ', '')),
  )
  parseLayout(file)
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
  const file = openJson('layout.json', JSON.stringify({ ...layout, menus }), (line) => faults.push(line))
  expect(parseLayout(file)).toEqual(layout)
  expect(faults).toEqual([])
})

const notALink = (url: string) => `must be /path, https://, mailto: or tel:, not ${JSON.stringify(url)}.`

test.each([
  [header({ ...item, url: 'javascript:alert(1)' }), `menus.header.0.url: ${notALink('javascript:alert(1)')}`],
  [header(item, { ...item, url: '//elsewhere.example' }), `menus.header.1.url: ${notALink('//elsewhere.example')}`],
  [header({ ...item, url: '/a\nb' }), `menus.header.0.url: ${notALink('/a\nb')}`],
  [header(item, { ...item, text: 'Prices' }), 'menus.header.1.url: /plans/ appears twice.'],
  [header({ text: 'Plans' }), 'menus.header.0.url: is missing.'],
  [header({ ...item, icon: 'star' }), 'menus.header.0.icon: is unknown.'],
  [header({ ...item, text: ' ' }), 'menus.header.0.text: must not be empty.'],
  [header({ ...item, text: 'Pl\nans' }), 'menus.header.0.text: must be one line, not "Pl\\nans".'],
  [header({ ...item, text: 'P'.repeat(61) }), 'menus.header.0.text: must have 60 characters at most, not 61.'],
  [footer({ title: 'Help', items: [] }, { title: 'Help', items: [] }), 'menus.footer.1.title: Help appears twice.'],
  [footer({ title: 'Help', items: [item, item] }), 'menus.footer.0.items.1.url: /plans/ appears twice.'],
  [{ menus: { ...layout.menus, footer: undefined } }, 'menus.footer: is missing.'],
  [{ faq_url: 'http://fantailProvider.example/faq' }, `faq_url: ${notALink('http://fantailProvider.example/faq')}`],
  [
    { plan_selection_terms: 'All sales are final.' },
    'plan_selection_terms: must be a list, not "All sales are final.".',
  ],
  [{ plan_selection_terms: ['Fine.', 4] }, 'plan_selection_terms.1: must be a text, not 4.'],
  [{ copyright: undefined }, 'copyright: is missing.'],
  [{ banner: 'Sale!' }, 'banner: is unknown.'],
])('an error in layout.json is reported in one line: case %#', (change, line) =>
  expect(faultsOf(change)).toEqual([line]),
)
