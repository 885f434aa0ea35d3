import * as v from 'valibot'
import { type Fault, oneLine, parseJson } from '#kit/server/config/json-files.ts'
import {
  addOnsSchema,
  catalogueId as id,
  checkRepeats,
  filtersSchema,
  joinCatalogue,
  plansSchema,
} from '#features/plans/server/catalogue-parts.ts'
import type { Catalogue } from '#features/plans/server/plans.store.ts'

const donorsSchema = v.array(v.strictObject({ id, name: oneLine(60) }))

const donorsOfMarkets = v.strictObject({ NZ: v.optional(donorsSchema), AU: v.optional(donorsSchema) })

export type Donor = { id: string; name: string }

/** What a provider sells, and from whom a number can come. @returns null when `fault` has been told what is wrong with it */
export function parseCatalogue(
  textOf: (file: string) => string | null,
  market: 'NZ' | 'AU',
  fault: Fault,
): (Catalogue & { donors: Donor[] }) | null {
  const read = <Schema extends v.GenericSchema>(file: string, schema: Schema): v.InferOutput<Schema> | null => {
    const text = textOf(file)
    return text === null ? null : parseJson(file, text, schema, fault)
  }
  const plans = read('plans.json', plansSchema)
  const addOns = read('add-ons.json', addOnsSchema)
  const filters = read('filters.json', filtersSchema)
  const donors = read('porting-providers.json', donorsOfMarkets)
  const placed = <T>(file: string, items: T[] | null) => items && { place: `${file}: `, items }
  const goods = joinCatalogue(
    {
      plans: placed('plans.json', plans),
      addOns: placed('add-ons.json', addOns),
      filters: placed('filters.json', filters),
    },
    fault,
  )
  const ofMarket = donors && checkDonors(donors, market, fault)
  return goods && ofMarket ? { ...goods, donors: ofMarket } : null
}

function checkDonors(donors: Partial<Record<'NZ' | 'AU', Donor[]>>, market: 'NZ' | 'AU', fault: Fault): Donor[] | null {
  for (const [code, list] of Object.entries(donors))
    checkRepeats(
      list.map(({ id: value }, at) => ({ place: `porting-providers.json: ${code}.${at}.id`, value })),
      fault,
    )
  if (!donors[market]) fault(`porting-providers.json: ${market}: is missing.`)
  return donors[market] ?? null
}
