import { sortByOrder } from '#kit/contract/plan-lists.ts'
import { formatData } from '#kit/contract/plans.ts'
import { type Product, productTypes } from '#features/plans/plans.contract.ts'

export function addOnsOnOffer(products: Readonly<Record<string, Product>>): Product[] {
  return sortByOrder(
    Object.values(products).filter(({ product_type, sku }) => product_type === productTypes.addon && sku),
  )
}

type Allowances = Pick<Product, 'data_gb' | 'voice_mins' | 'txt_sms'>

/** An add-on's allowances. `name` is the name of the matching entitlement in the usage summary. */
export const purchasedAllowancesOf = ({
  data_gb,
  voice_mins,
  txt_sms,
}: Allowances): { name: string; amount: string }[] =>
  [
    data_gb > 0 && { name: 'Data', amount: formatData(data_gb) },
    voice_mins > 0 && { name: 'Minutes', amount: `${voice_mins} Mins` },
    txt_sms > 0 && { name: 'SMS/MMS', amount: `${txt_sms} SMS/MMS` },
  ].filter((allowance) => allowance !== false)

export const allowancesOf = (addOn: Allowances): string[] => purchasedAllowancesOf(addOn).map(({ amount }) => amount)

/**
 * Whether an add-on is used in other countries. The provider lists add-ons for international calls and texts with the roaming add-ons, but
 * they are used at home and have no data.
 */
export const isUsedAbroad = ({ roaming, data_gb }: Product): boolean => roaming && data_gb > 0
