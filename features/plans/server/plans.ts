import { centsToDecimal } from '#kit/contract/money.ts'
import { type Product, productTypes } from '../plans.contract.ts'
import type { ProductRow } from './plans.store.ts'

export function presentProduct(row: ProductRow): Product {
  return {
    unique_id: row.unique_id,
    sku: row.sku,
    product_type: row.product_type,
    title: row.title,
    length: row.length_days,
    price: centsToDecimal(row.price_cents),
    rrp: row.rrp_cents === null ? null : centsToDecimal(row.rrp_cents),
    price_rebill: row.price_rebill_cents === null ? null : centsToDecimal(row.price_rebill_cents),
    colour: row.colour,
    sort_order: row.sort_order,
    data: row.data_gb,
    data_gb: row.data_gb,
    voice_mins: row.voice_mins,
    txt_sms: row.txt_sms,
    roaming: row.roaming,
    new_customer_only: row.new_customer_only,
    next_product_unique_id: row.next_product_id === row.unique_id ? null : row.next_product_id,
    renewal_length: Math.min(row.length_days, 30),
    code: row.code,
  }
}

export function isAddOnOnSale(row: ProductRow | undefined): row is ProductRow & { sku: string } {
  return row !== undefined && row.product_type === productTypes.addon && !row.hidden && row.sku !== null
}

export function isPlanOnSale(row: ProductRow | undefined): row is ProductRow & { sku: string } {
  return row !== undefined && row.product_type === productTypes.plan && !row.hidden && row.sku !== null
}

export const isOnSale = (row: ProductRow): boolean => isPlanOnSale(row) || isAddOnOnSale(row)
