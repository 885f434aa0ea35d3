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

type TextOf = (file: string) => string | null

function read<Schema extends v.GenericSchema>(
  textOf: TextOf,
  file: string,
  schema: Schema,
  fault: Fault,
): v.InferOutput<Schema> | null {
  const text = textOf(file)
  return text === null ? null : parseJson(file, text, schema, fault)
}

export function parseCatalogue(textOf: TextOf, fault: Fault): Catalogue | null {
  const plans = read(textOf, 'plans.json', plansSchema, fault)
  const addOns = read(textOf, 'add-ons.json', addOnsSchema, fault)
  const filters = read(textOf, 'filters.json', filtersSchema, fault)
  const placed = <T>(file: string, items: T[] | null) => items && { place: `${file}: `, items }
  return joinCatalogue(
    {
      plans: placed('plans.json', plans),
      addOns: placed('add-ons.json', addOns),
      filters: placed('filters.json', filters),
    },
    fault,
  )
}

export function parseDonors(textOf: TextOf, market: 'NZ' | 'AU', fault: Fault): Donor[] | null {
  const donors = read(textOf, 'porting-providers.json', donorsOfMarkets, fault)
  return donors && checkDonors(donors, market, fault)
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
