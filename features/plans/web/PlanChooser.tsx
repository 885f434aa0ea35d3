import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Disclosure } from '#kit/web/widgets/Disclosure.tsx'
import { RichText } from '#kit/web/widgets/RichText.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { findNextProduct, plansOnOffer } from './plan-choice.ts'
import { type ChoiceForm, PlanOffer } from './PlanOffer.tsx'
import { planFiltersQuery, productsQuery } from './plans.queries.ts'
import * as s from './PlanChooser.module.css'

type Props = {
  form: ChoiceForm
  newCustomers?: boolean
}

export default function PlanChooser({ form, newCustomers = true }: Props) {
  const api = useApi()
  const { layout } = useBootstrap()
  const products = useQuery(productsQuery(api))
  const filters = useQuery(planFiltersQuery(api))

  function retry() {
    for (const { isError, refetch } of [products, filters]) if (isError) void refetch()
  }

  function renderOfferContent() {
    if (products.data && filters.data) {
      const productsById = products.data
      const plans = plansOnOffer({ products: productsById, filters: filters.data, newCustomers })
      return (
        <PlanOffer
          form={form}
          plans={plans}
          filters={filters.data}
          nextOf={(plan) => findNextProduct(productsById, plan)}
        />
      )
    }
    if (products.isError || filters.isError)
      return <Unavailable what="Our Prepay Plans didn’t load. Nothing you have entered is lost." onRetry={retry} />
    return (
      <div className={s.waiting}>
        <Card>
          <Skeleton lines={8} />
        </Card>
      </div>
    )
  }

  return (
    <>
      <div tabIndex={-1}>{renderOfferContent()}</div>
      <Disclosure summary="Prepay Plan terms">
        {layout.plan_selection_terms.map((term) => (
          <p key={term}>
            <RichText text={term} />
          </p>
        ))}
      </Disclosure>
    </>
  )
}
