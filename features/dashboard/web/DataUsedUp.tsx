import { formatDate } from '#kit/contract/dates.ts'
import { formatPrice, fromWire } from '#kit/contract/money.ts'
import { formatData } from '#kit/contract/plans.ts'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { type Product, productTypes } from '#features/plans/plans.contract.ts'
import { productsQuery } from '#features/plans/web/plans.queries.ts'
import type { UsageSummary } from '#features/usage/usage.contract.ts'
import { NextCard } from './NextCard.tsx'

type Props = {
  uuid: string
  summary: UsageSummary
  /** The page already has its one primary button. */
  quiet: boolean
}

export default function DataUsedUp({ uuid, summary: { plan, renewal_date }, quiet }: Props) {
  const { market } = useBootstrap()
  const { data: products } = useQuery(productsQuery(useApi()))
  const addOn = products && cheapestData(Object.values(products))
  const addOns = `/services/${uuid}/addons/`
  const day = formatDate(renewal_date, market.zone)
  return (
    <NextCard
      tone="soon"
      icon="warn"
      title="Your data is used up"
      acts={
        <>
          {addOn && (
            <Button
              wide
              kind={quiet ? 'quiet' : 'primary'}
              href={`${addOns}?${new URLSearchParams({ product: addOn.unique_id, step: 'payment' })}`}
            >
              Add {formatData(addOn.data_gb)} for {formatPrice(fromWire(addOn.price))}
            </Button>
          )}
          <Button wide kind="quiet" href={addOns}>
            See all Add-Ons
          </Button>
        </>
      }
    >
      <p>
        {plan.is_final_cycle
          ? `Your Prepay Plan ends at midnight on ${day}.`
          : `Your data renews at midnight on ${day}.`}{' '}
        Calls and texts still work.
      </p>
    </NextCard>
  )
}

const cheapestData = (products: Product[]): Product | undefined =>
  products
    .filter(
      ({ product_type, sku, data_gb, roaming }) =>
        product_type === productTypes.addon && sku && data_gb >= 1 && !roaming,
    )
    .toSorted((a, b) => fromWire(a.price) - fromWire(b.price))[0]
