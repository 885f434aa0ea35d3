import { sortByOrder } from '#kit/contract/plan-lists.ts'
import { formatDataAmount } from '#kit/contract/plans.ts'
import { type Product, productTypes } from '#features/plans/plans.contract.ts'

export function listAddOnsOnOffer(products: Readonly<Record<string, Product>>): Product[] {
  return sortByOrder(
    Object.values(products).filter(({ product_type, sku }) => product_type === productTypes.addon && sku),
  )
}

type AddOnAllowances = Pick<Product, 'data_gb' | 'voice_mins' | 'txt_sms'>

/** An add-on's allowances. `name` is the name of the matching entitlement in the usage summary. */
export const getPurchasedAllowances = ({
  data_gb,
  voice_mins,
  txt_sms,
}: AddOnAllowances): { name: string; amount: string }[] =>
  [
    data_gb > 0 && { name: 'Data', amount: formatDataAmount(data_gb) },
    voice_mins > 0 && { name: 'Minutes', amount: `${voice_mins} Mins` },
    txt_sms > 0 && { name: 'SMS/MMS', amount: `${txt_sms} SMS/MMS` },
  ].filter((allowance) => allowance !== false)

export const getAllowanceAmounts = (addOn: AddOnAllowances): string[] =>
  getPurchasedAllowances(addOn).map(({ amount }) => amount)

/**
 * Whether an add-on is used in other countries. The provider lists add-ons for international calls and texts with the roaming add-ons, but
 * they are used at home and have no data.
 */
export const isUsedAbroad = ({ roaming, data_gb }: Product): boolean => roaming && data_gb > 0
