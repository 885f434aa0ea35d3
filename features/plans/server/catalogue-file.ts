import * as v from 'valibot'
import { openJson, parseJsonFile, type ReportFaultAt } from '#kit/server/config/json-file.ts'
import { addOnsSchema, filtersSchema, joinCatalogue, plansSchema } from './catalogue-parts.ts'
import type { Catalogue, CatalogueProduct } from './plans.store.ts'

const fileSchema = v.strictObject({ plans: plansSchema, add_ons: addOnsSchema, filters: filtersSchema })

const maxFaults = 100
const maxFaultLength = 300

export function parseCatalogueFile(text: string): { catalogue: Catalogue } | { faults: string[] } {
  const faults: string[] = []
  let hiddenFaultCount = 0
  const addFault = (line: string): void => {
    if (faults.length === maxFaults) hiddenFaultCount += 1
    else faults.push(line.slice(0, maxFaultLength))
  }
  const file = openJson('', text, addFault)
  const sections = parseJsonFile(file, fileSchema)
  const reportIn =
    (section: keyof NonNullable<typeof sections>): ReportFaultAt =>
    (path, message) =>
      file.report(`${section}.${path}`, message)
  const catalogue =
    sections &&
    joinCatalogue({
      plans: { items: sections.plans, report: reportIn('plans') },
      addOns: { items: sections.add_ons, report: reportIn('add_ons') },
      filters: { items: sections.filters, report: reportIn('filters') },
    })
  if (catalogue && faults.length === 0) return { catalogue }
  return { faults: hiddenFaultCount > 0 ? [...faults, `And ${hiddenFaultCount} more.`] : faults }
}

export function writeCatalogueFile({ products, filters }: Catalogue): string {
  const productsOfType = (type: 1 | 2) =>
    products.filter(({ product_type }) => product_type === type).map(sortProductFields)
  const lengths = filters.map(({ position, length, unit, promo_text }) => ({ position, length, unit, promo_text }))
  return `${JSON.stringify({ plans: productsOfType(1), add_ons: productsOfType(2), filters: lengths }, null, 2)}\n`
}

/** Puts a product's fields into a fixed order, because the database does not preserve the original order. */
const sortProductFields = (product: CatalogueProduct): CatalogueProduct => ({
  unique_id: product.unique_id,
  sku: product.sku,
  product_type: product.product_type,
  title: product.title,
  length_days: product.length_days,
  price_cents: product.price_cents,
  rrp_cents: product.rrp_cents,
  price_rebill_cents: product.price_rebill_cents,
  colour: product.colour,
  sort_order: product.sort_order,
  data_gb: product.data_gb,
  voice_mins: product.voice_mins,
  txt_sms: product.txt_sms,
  roaming: product.roaming,
  new_customer_only: product.new_customer_only,
  next_product_id: product.next_product_id,
  code: product.code,
  hidden: product.hidden,
  tax_class: product.tax_class,
  ...(product.free !== undefined && { free: product.free }),
})
