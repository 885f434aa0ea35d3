import { sortByOrder, formatData } from '#kit/contract/plans.ts'
import { type Product, productTypes } from '#features/plans/plans.contract.ts'

export function addOnsOnOffer(products: Readonly<Record<string, Product>>): Product[] {
  return sortByOrder(
    Object.values(products).filter(({ product_type, sku }) => product_type === productTypes.addon && sku),
  )
}

export function allowancesOf({ data_gb, voice_mins, txt_sms }: Product): string[] {
  return [
    data_gb > 0 && formatData(data_gb),
    voice_mins > 0 && `${voice_mins} Mins`,
    txt_sms > 0 && `${txt_sms} SMS/MMS`,
  ].filter((part) => part !== false)
}
