import { expect, test } from 'vitest'
import { measureCpuMs } from '#quality/support/processor-time.ts'
import { fantailProvider } from '#quality/support/provider.ts'
import { parseCatalogueFile, writeCatalogueFile } from './server/catalogue-file.ts'
import { hashCatalogue } from './server/catalogue.store.ts'

const shuffled = <T extends object>(item: T): T => Object.fromEntries(Object.entries(item).toReversed()) as T

test('importing an exported catalogue file gives the same catalogue, whatever the order of the fields', () => {
  const { products, filters } = fantailProvider.catalogue
  const kept = { products: products.map(shuffled), filters: filters.map(shuffled) }
  const read = parseCatalogueFile(writeCatalogueFile(kept))
  expect(read).toEqual({ catalogue: fantailProvider.catalogue })
  expect('catalogue' in read && hashCatalogue(read.catalogue)).toBe(hashCatalogue(fantailProvider.catalogue))
})

test('a message about a faulty catalogue file has at most 300 characters', () => {
  const read = parseCatalogueFile(`{"plans": [], "add_ons": [], "filters": [], "${'x'.repeat(10_000)}": 1}`)
  const { faults } = read as { faults: string[] }
  expect(faults.length).toBeGreaterThan(0)
  for (const fault of faults) expect(fault.length).toBeLessThanOrEqual(300)
})

test('checking a catalogue file full of faults takes less than two seconds of CPU time', async () => {
  const check = () => {
    parseCatalogueFile(`{"plans": [${'0,'.repeat(490_000)}0], "add_ons": [], "filters": []}`)
    parseCatalogueFile('['.repeat(900_000))
  }
  expect(await measureCpuMs(check, { enough: 2_000 })).toBeLessThan(2_000)
})
