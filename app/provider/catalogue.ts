import * as v from 'valibot'
import { type JsonFile, parseJsonFile } from '#kit/server/config/json-file.ts'
import { singleLineText } from '#kit/server/config/parse-json.ts'
import {
  addOnsSchema,
  catalogueId as id,
  filtersSchema,
  joinCatalogue,
  plansSchema,
  reportDuplicates,
} from '#features/plans/server/catalogue-parts.ts'
import type { Catalogue } from '#features/plans/server/plans.store.ts'
import type { JsonFileName } from './folder-files.ts'

const losingProvidersSchema = v.pipe(
  v.array(v.strictObject({ id, name: singleLineText(60) })),
  v.minLength(1, 'must not be empty.'),
  v.maxLength(1_000, 'must have 1,000 entries at most.'),
)

const donorsByMarketSchema = v.strictObject({
  NZ: v.optional(losingProvidersSchema),
  AU: v.optional(losingProvidersSchema),
})

export type Donor = { id: string; name: string }

/** @param openFile opens one of the catalogue's files, or reports that it cannot and returns `null` */
export function parseCatalogue(openFile: (name: JsonFileName) => JsonFile | null): Catalogue | null {
  const readPart = <Item>(name: JsonFileName, schema: v.GenericSchema<unknown, Item[]>) => {
    const file = openFile(name)
    const items = file && parseJsonFile(file, schema)
    return file && items && { items, report: file.report }
  }
  return joinCatalogue({
    plans: readPart('plans.json', plansSchema),
    addOns: readPart('add-ons.json', addOnsSchema),
    filters: readPart('filters.json', filtersSchema),
  })
}

export function parseDonors(file: JsonFile, market: 'NZ' | 'AU'): Donor[] | null {
  const donors = parseJsonFile(file, donorsByMarketSchema)
  if (!donors) return null
  for (const [code, list] of Object.entries(donors))
    reportDuplicates(list.map(({ id: value }, at) => ({ value, path: `${code}.${at}.id`, report: file.report })))
  if (!donors[market]) file.report(market, 'is missing.')
  return donors[market] ?? null
}
