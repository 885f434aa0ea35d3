import type { ReportFaultAt } from '#kit/server/config/json-file.ts'
import type { CatalogueProduct } from './plans.store.ts'

/** Checks the rules that span several fields of a product, and reports each violation at its field. */
export function checkProduct(product: CatalogueProduct, report: ReportFaultAt): void {
  checkFreeProduct(product, report)
  checkOriginalPrice(product, report)
  checkAllowances(product, report)
}

/** Requires a price of 0 to be confirmed explicitly, because a typo or a truncated file can also produce one. */
function checkFreeProduct(product: CatalogueProduct, report: ReportFaultAt): void {
  const { unique_id: id, free } = product
  const zeroFields = (['price_cents', 'price_rebill_cents'] as const).filter((field) => product[field] === 0)
  if (free && zeroFields.length === 0) report('free', `${id} is marked as free, but none of its prices is 0.`)
  if (free) return
  for (const field of zeroFields)
    report(field, `${id} would cost nothing. If it is meant to be free, add "free": true.`)
}

/** Pages show the original price struck through, so a lower one would advertise a discount that does not exist. */
function checkOriginalPrice({ rrp_cents: rrp, price_cents: price }: CatalogueProduct, report: ReportFaultAt): void {
  if (rrp !== null && rrp < price) report('rrp_cents', `${rrp} is below price_cents, which is ${price}.`)
}

function checkAllowances(product: CatalogueProduct, report: ReportFaultAt): void {
  const { unique_id: id, product_type: type, data_gb: gb, voice_mins: minutes, txt_sms: texts } = product
  if (gb > 0) return
  if (type === 1) report('data_gb', `must be above 0, because ${id} is a plan.`)
  else if (minutes === 0 && texts === 0)
    report('data_gb', `${id} has no data, minutes or texts: data_gb, voice_mins and txt_sms are 0.`)
}
