import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Market } from '#kit/contract/bootstrap.ts'
import { ConfigError } from '#kit/server/config.ts'
import { markets } from '#kit/server/markets.ts'
import { defaultMapping } from '#providers/network/mapping.ts'
import { exampleMapping } from '#quality/support/carrier.ts'
import { fantailProvider, fantailFolder } from '#quality/support/provider.ts'
import { readProvider, readProviderFolder } from './read-provider.ts'

describe.each(['fantail', 'tui'])('%s’s provider folder', (name) => {
  test.each([markets.NZ, markets.AU])('the demo’s provider folders are complete for $country', (market) => {
    const { brand, look, issuer, layout, catalogue, donors, sensitiveNumbers } = readProvider(
      `demo/providers/${name}`,
      market,
    )
    expect(brand.name).toContain(brand.shortName)
    expect(issuer).toMatchObject({ tax_label: market.taxLabel, address: expect.stringContaining(market.country) })
    expect(decodeURIComponent(brand.mark)).toBe(
      `data:image/svg+xml,${readFileSync(`demo/providers/${name}/mark.svg`, 'utf8')}`,
    )
    expect([...look.files.keys()]).toEqual(['icon.svg', 'icon-180.png', 'icon-192.png', 'icon-512.png'])
    expect(layout.copyright).toContain(brand.shortName)
    expect(catalogue.products.length).toBeGreaterThan(10)
    expect(donors.length).toBeGreaterThan(10)
    expect(sensitiveNumbers.length).toBeGreaterThan(15)
  })
})

describe('a provider’s configuration folder', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fantail-provider-'))
    cpSync(fantailFolder, folder, { recursive: true })
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const write = (file: string, content: string | Buffer) => writeFileSync(join(folder, file), content)
  const change = (file: string, from: string, to: string) =>
    write(file, readFileSync(join(folder, file), 'utf8').replace(from, to))

  function faults(market = markets.NZ): string[] {
    try {
      readProvider(folder, market)
      return []
    } catch (error) {
      if (error instanceof ConfigError) return error.faults
      throw error
    }
  }

  test('a change in a provider’s configuration folder takes effect the next time the folder is read', () => {
    expect(readProvider(folder, markets.NZ)).toEqual(fantailProvider)
    change('brand.json', '"Fantail Mobile"', '"Pīwakawaka"')
    expect(readProvider(folder, markets.NZ).brand.name).toBe('Pīwakawaka')
  })

  test('a provider’s configuration is accepted even if its catalogue has errors, but not if any other file has errors', () => {
    change('plans.json', '"price_cents": 2200', '"price_cents": -1')
    rmSync(join(folder, 'filters.json'))
    const { provider, goods } = readProviderFolder(folder, markets.NZ)
    expect(provider.brand).toEqual(fantailProvider.brand)
    const lines = [
      expect.stringMatching(/^plans\.json: line \d+: \d+\.price_cents: must be 0 at least, not -1\.$/),
      'filters.json: is missing.',
    ]
    expect(goods).toEqual({ faults: lines })
    change('brand.json', '"Fantail Mobile"', '""')
    expect(faults()).toEqual([expect.stringMatching(/^brand\.json: /), ...lines])
    expect(() => readProviderFolder(folder, markets.NZ)).toThrow(ConfigError)
  })

  test('a file for one market replaces the general file only in that market', () => {
    const names = (market: Market) =>
      readProvider(folder, market).catalogue.products.flatMap(({ title, roaming }) => (roaming ? [title] : []))
    expect(names(markets.AU)).toContain('New Zealand Roaming')
    expect(names(markets.AU)).not.toContain('Australia Roaming')
    expect(names(markets.NZ)).toContain('Australia Roaming')
    expect(names(markets.NZ)).not.toContain('New Zealand Roaming')
    change('add-ons.AU.json', '"length_days": 7', '"length_days": "a week"')
    change('layout.json', '"faq_url"', '"faqs"')
    expect(faults()).toEqual(expect.not.arrayContaining([expect.stringContaining('add-ons')]))
    expect(faults(markets.AU)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^add-ons\.AU\.json: /), expect.stringMatching(/^layout\.json: /)]),
    )
  })

  test('a provider’s configuration can change the network mapping, and errors in the mapping are reported', () => {
    expect(readProvider(folder, markets.NZ).network).toEqual(defaultMapping)
    write('network.json', exampleMapping())
    write('network.AU.json', '{ "paging": { "size": 50 } }')
    expect(readProvider(folder, markets.NZ).network.orders.activate_sim.specificationId).toBe('SVC-100')
    expect(readProvider(folder, markets.AU).network).toEqual({
      ...defaultMapping,
      paging: { ...defaultMapping.paging, size: 50 },
    })
    write('network.json', '{ "orders": { "swap_sim": {} }, "paging": { "size": "many" }, "errors": { "busy": "E-1" } }')
    expect(faults().toSorted()).toEqual([
      'network.json: line 1: errors.busy: must be a list, not "E-1".',
      'network.json: line 1: orders.swap_sim: is unknown.',
      'network.json: line 1: paging.size: must be a number, not "many".',
    ])
    write('network.json', '{')
    expect(faults()).toEqual([expect.stringMatching(/^network\.json: line 1, column 2: is not JSON: /)])
  })

  test('the folder must list the helplines of its market, and errors in the list are reported', () => {
    expect(readProvider(folder, markets.NZ).sensitiveNumbers).toEqual(
      expect.arrayContaining(['0800 733 843', '1737', '4334']),
    )
    expect(readProvider(folder, markets.AU).sensitiveNumbers).toContain('1800 737 732')
    write('sensitive-numbers.json', '{ "NZ": [{ "name": "Shine", "numbers": ["0508 SHINE"] }], "AU": [] }')
    const numberFault =
      'NZ.0.numbers.0: must be a phone number or a short code, such as 0800 123 456 or 1737, not "0508 SHINE".'
    expect(faults()).toEqual([
      `sensitive-numbers.json: line 1: ${numberFault}`,
      'sensitive-numbers.json: line 1: AU: must not be empty.',
    ])
    write('sensitive-numbers.AU.json', '{ "NZ": [{ "name": "Shine", "numbers": ["0508 744 633"] }] }')
    expect(faults(markets.AU)).toEqual(['sensitive-numbers.AU.json: line 1: AU: is missing.'])
  })

  test('a provider can choose the names of its SVG files', () => {
    write('symbol.svg', readFileSync(join(folder, 'icon.svg')))
    change('brand.json', '"mark.svg"', '"symbol.svg"')
    expect(readProvider(folder, markets.NZ).brand.mark).not.toBe(fantailProvider.brand.mark)
    change('brand.json', '"icon.svg"', '"symbol.svg"')
    expect(faults()).toEqual([180, 192, 512].map((size) => `symbol-${size}.png: is missing.`))
  })

  test('a large logo is served from a URL that changes with its content', () => {
    const addressOf = (words: number): string => {
      write(
        'mark.svg',
        `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><desc>${'bird '.repeat(words)}</desc><path d="M0 0h9"/></svg>`,
      )
      const { brand, look } = readProvider(folder, markets.NZ)
      expect(look.files.get(brand.mark.replace('/static/brand/', ''))?.toString()).toContain('bird bird')
      return brand.mark
    }
    const address = addressOf(600)
    expect(address).toMatch(/^\/static\/brand\/mark-[0-9a-f]{8}\.svg$/)
    expect(addressOf(601)).not.toBe(address)
  })

  test('JSON files in another encoding are rejected, and a byte order mark is allowed', () => {
    const brand = readFileSync(join(folder, 'brand.json'), 'utf8')
    write('brand.json', Buffer.from(brand.replace('Fantail Mobile', 'Café Mobile'), 'latin1'))
    write('layout.json', Buffer.from(readFileSync(join(folder, 'layout.json'), 'utf8'), 'utf16le'))
    expect(faults()).toEqual([
      'brand.json: line 2, column 15: must be UTF-8, not the byte 0xE9.',
      'layout.json: line 1: must be UTF-8, not UTF-16.',
    ])
    write('brand.json', `\uFEFF${brand}`)
    write('layout.json', `\uFEFF${readFileSync(join(fantailFolder, 'layout.json'), 'utf8')}`)
    expect(readProvider(folder, markets.NZ).brand).toEqual(fantailProvider.brand)
  })

  test('JSON files with unknown names are rejected, but files of editors and notes are ignored', () => {
    for (const name of ['.plans.json', '._plans.json', '.#plans.json', 'plans.json~', 'README.md', 'plans.NZ.json~'])
      write(name, '{')
    expect(readProvider(folder, markets.NZ)).toEqual(fantailProvider)
    const names = ['Plans.json', 'filter.json', 'layout.JSON', 'plans copy.json', 'plans.UK.json']
    for (const name of names) write(name, '[]')
    expect(faults()).toEqual(names.map((name) => `${name}: is unknown. Rename or remove this file.`))
  })

  test('a missing provider folder is reported with a one-line message', () => {
    rmSync(folder, { recursive: true })
    expect(faults()).toEqual([`PROVIDER_DIR: there is no folder ${folder}.`])
  })

  test('an empty provider folder is reported with a line for each missing file', () => {
    rmSync(folder, { recursive: true })
    folder = mkdtempSync(join(tmpdir(), 'fantail-provider-'))
    const names = [
      'brand.json',
      'layout.json',
      'plans.json',
      'add-ons.json',
      'filters.json',
      'porting-providers.json',
      'sensitive-numbers.json',
      'mark.svg',
      'icon.svg',
      'icon-180.png',
      'icon-192.png',
      'icon-512.png',
    ]
    expect(faults()).toEqual(names.map((name) => `${name}: is missing.`))
  })

  test('errors in several provider files are reported together, with one line per error', () => {
    change('brand.json', '"#4d5f5a", "#a5b8b2"', '"#4d5f5a", "#5a6b66"')
    write('layout.json', '{\n  "menus": nothing\n}')
    change('plans.json', '"price_cents": 600', '"price_cents": "6.00"')
    change('filters.json', '"unit": "days"', '"unit": "weeks"')
    write('add-ons.json', Buffer.from([0xff, 0xfe, 0x00]))
    write('mark.svg', '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><script/></svg>')
    write('icon-180.png', readFileSync(join(folder, 'icon-512.png')))
    rmSync(join(folder, 'porting-providers.json'))
    const lines = faults()
    expect(lines).toContain(
      'brand.json: line 21: colours.ink-2: #5a6b66 on paper has a contrast of 3.2 in dark mode; text needs 4.5.',
    )
    expect(lines.filter((line) => !line.startsWith('brand.json: line 21: colours.ink-2: '))).toEqual([
      "layout.json: line 2, column 12: is not JSON: Unexpected token 'o'.",
      'plans.json: line 3: 0.price_cents: must be a number, not "6.00".',
      'add-ons.json: line 1: must be UTF-8, not UTF-16.',
      'filters.json: line 2: 0.unit: must be "days", not "weeks".',
      'porting-providers.json: is missing.',
      'mark.svg: must not contain <script>.',
      'icon-180.png: has 512 by 512 pixels; it must have 180 by 180.',
    ])
    for (const line of lines) expect(line).not.toMatch(/[\r\n]/)
  })
})
