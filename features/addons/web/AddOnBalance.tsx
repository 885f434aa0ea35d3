import { useState } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import type { DeliveredOrderView } from '#features/orders/orders.contract.ts'
import type { OwnedAddOn } from '#features/usage/usage.contract.ts'
import { getRemainingLabel } from '#features/usage/web/usage.labels.ts'
import { usageSummaryQuery } from '#features/usage/web/usage.queries.ts'
import { getPurchasedAllowances } from './addon.labels.ts'
import * as s from './addons.module.css'

/**
 * Lists what is left of a purchased add-on. The balance comes from the network after the page has been shown. Until
 * then, and while the network does not respond, the list shows what was bought.
 */
export function AddOnBalance({ order }: { order: DeliveredOrderView }) {
  const { data, updates } = useQuery(usageSummaryQuery(useApi(), order.uuid))
  const [updatesBefore] = useState(updates)
  const addOn = findOwnedAddOn(data?.addons ?? [], order)
  // A balance that was cached before the purchase lacks the add-on, so wait for the next response.
  const isWaiting = !addOn && updates === updatesBefore
  return (
    <>
      <b>{order.product.title}</b>
      <ul className={s.balance}>
        {getPurchasedAllowances(order.product).map(({ name, amount }) => {
          const entitlement = addOn?.entitlements.find((each) => each.name === name)
          return (
            <li key={name}>
              {entitlement ? (
                <span key="left">{getRemainingLabel(entitlement)}</span>
              ) : (
                <span key="bought">
                  <span>{amount}</span>
                  {isWaiting ? <LoadingBalance /> : <span> · balance unknown</span>}
                </span>
              )}
            </li>
          )
        })}
      </ul>
    </>
  )
}

const LoadingBalance = () => (
  <>
    <span className="visually-hidden">, loading the balance</span>
    <i className={s.waiting} />
  </>
)

/**
 * Finds the add-on by its order. If the network does not name orders, its add-ons are listed by SKU. During an upgrade, the previous
 * version may respond, without `addon_ids`.
 */
const findOwnedAddOn = (
  addOns: readonly OwnedAddOn[],
  { addon_ids: ids = [] }: Partial<DeliveredOrderView>,
): OwnedAddOn | undefined => ids.flatMap((id) => addOns.find((addOn) => addOn.id === id) ?? [])[0]
