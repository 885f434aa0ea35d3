import { formatDate } from '#kit/contract/dates.ts'
import { formatPrice, decimalToCents } from '#kit/contract/money.ts'
import { formatDataAmount } from '#kit/contract/plans.ts'
import { appendZone } from '#kit/contract/zone-name.ts'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { type Product, productTypes } from '#features/plans/plans.contract.ts'
import { productsQuery } from '#features/plans/web/plans.queries.ts'
import type { UsageSummary } from '#features/usage/usage.contract.ts'
import { UpcomingEventCard } from './UpcomingEventCard.tsx'

type Props = {
  uuid: string
  summary: UsageSummary
  /** True when the page already has a primary button elsewhere, so that this panel shows a secondary one. */
  quiet: boolean
}

export default function DataUsedUpPanel({ uuid, summary: { plan, renewal_date }, quiet }: Props) {
  const { market } = useBootstrap()
  const { data: products } = useQuery(productsQuery(useApi()))
  const addOn = products && findCheapestDataAddOn(Object.values(products))
  const addOnsPath = `/services/${uuid}/addons/`
  const renewalDay = appendZone(formatDate(renewal_date, market.zone), market.zone)
  return (
    <UpcomingEventCard
      tone="soon"
      icon="warn"
      title="Your data is used up"
      acts={
        <>
          {addOn && (
            <Button
              wide
              kind={quiet ? 'quiet' : 'primary'}
              href={`${addOnsPath}?${new URLSearchParams({ product: addOn.unique_id, step: 'payment' })}`}
            >
              Add {formatDataAmount(addOn.data_gb)} for {formatPrice(decimalToCents(addOn.price))}
            </Button>
          )}
          <Button wide kind="quiet" href={addOnsPath}>
            See all Add-Ons
          </Button>
        </>
      }
    >
      <p>
        {plan.is_final_cycle
          ? `Your Prepay Plan ends at midnight on ${renewalDay}.`
          : `Your data renews at midnight on ${renewalDay}.`}{' '}
        Calls and texts still work.
      </p>
    </UpcomingEventCard>
  )
}

const findCheapestDataAddOn = (products: Product[]): Product | undefined =>
  products
    .filter(
      ({ product_type, sku, data_gb, roaming }) =>
        product_type === productTypes.addon && sku && data_gb >= 1 && !roaming,
    )
    .toSorted((a, b) => decimalToCents(a.price) - decimalToCents(b.price))[0]
