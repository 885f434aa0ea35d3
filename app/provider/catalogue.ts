import * as v from 'valibot'
import { type ReportFault, singleLineText, parseJson } from '#kit/server/config/parse-json.ts'
import {
  addOnsSchema,
  catalogueId as id,
  checkDuplicates,
  filtersSchema,
  joinCatalogue,
  plansSchema,
} from '#features/plans/server/catalogue-parts.ts'
import type { Catalogue } from '#features/plans/server/plans.store.ts'

const losingProvidersSchema = v.array(v.strictObject({ id, name: singleLineText(60) }))

const donorsByMarketSchema = v.strictObject({
  NZ: v.optional(losingProvidersSchema),
  AU: v.optional(losingProvidersSchema),
})

export type Donor = { id: string; name: string }

type TextReader = (file: string) => string | null

function readJson<Schema extends v.GenericSchema>(
  textOf: TextReader,
  file: string,
  schema: Schema,
  fault: ReportFault,
): v.InferOutput<Schema> | null {
  const text = textOf(file)
  return text === null ? null : parseJson(file, text, schema, fault)
}

export function parseCatalogue(textOf: TextReader, fault: ReportFault): Catalogue | null {
  const plans = readJson(textOf, 'plans.json', plansSchema, fault)
  const addOns = readJson(textOf, 'add-ons.json', addOnsSchema, fault)
  const filters = readJson(textOf, 'filters.json', filtersSchema, fault)
  const withFileName = <T>(file: string, items: T[] | null) => items && { place: `${file}: `, items }
  return joinCatalogue(
    {
      plans: withFileName('plans.json', plans),
      addOns: withFileName('add-ons.json', addOns),
      filters: withFileName('filters.json', filters),
    },
    fault,
  )
}

export function parseDonors(textOf: TextReader, market: 'NZ' | 'AU', fault: ReportFault): Donor[] | null {
  const donors = readJson(textOf, 'porting-providers.json', donorsByMarketSchema, fault)
  return donors && checkDonors(donors, market, fault)
}

function checkDonors(
  donors: Partial<Record<'NZ' | 'AU', Donor[]>>,
  market: 'NZ' | 'AU',
  fault: ReportFault,
): Donor[] | null {
  for (const [code, list] of Object.entries(donors))
    checkDuplicates(
      list.map(({ id: value }, at) => ({ place: `porting-providers.json: ${code}.${at}.id`, value })),
      fault,
    )
  if (!donors[market]) fault(`porting-providers.json: ${market}: is missing.`)
  return donors[market] ?? null
}
