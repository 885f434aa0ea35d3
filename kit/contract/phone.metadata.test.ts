import { createRequire } from 'node:module'
import { expect, test } from 'vitest'

type Metadata = { version: number; countries: Record<string, unknown> }

// `npx vitest run -u kit/contract/phone.metadata.test.ts` makes the file anew after an update of the package.
test('phone.metadata.json is what the package ships for mobiles, reduced to NZ and AU', async () => {
  const shipped = createRequire(import.meta.url)('libphonenumber-js/metadata.mobile.json') as Metadata
  const reduced = {
    version: shipped.version,
    country_calling_codes: { 61: ['AU'], 64: ['NZ'] },
    countries: { AU: shipped.countries['AU'], NZ: shipped.countries['NZ'] },
  }
  await expect(`${JSON.stringify(reduced)}\n`).toMatchFileSnapshot('phone.metadata.json')
})
