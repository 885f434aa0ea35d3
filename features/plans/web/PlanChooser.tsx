import { useRef } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Disclosure } from '#kit/web/widgets/Disclosure.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { plansOnOffer } from './plan-choice.ts'
import { type ChoiceForm, PlanOffer } from './PlanOffer.tsx'
import { planFiltersQuery, productsQuery } from './plans.queries.ts'
import s from './PlanChooser.module.css'

type Props = {
  form: ChoiceForm
  /** Whether plans for new customers are among them. */
  newCustomers?: boolean
}

/** Where a Prepay Plan is chosen: for a form whose values have `plan` and `length`. */
export function PlanChooser({ form, newCustomers = true }: Props) {
  const api = useApi()
  const { layout } = useBootstrap()
  const products = useQuery(productsQuery(api))
  const filters = useQuery(planFiltersQuery(api))
  const place = useRef<HTMLDivElement>(null)

  function retry() {
    // The button goes while the answer is awaited; whoever pressed it stays where they were.
    place.current?.focus()
    for (const { isError, refetch } of [products, filters]) if (isError) void refetch()
  }

  function content() {
    if (products.data && filters.data) {
      const plans = plansOnOffer({ products: products.data, filters: filters.data, newCustomers })
      return <PlanOffer form={form} plans={plans} filters={filters.data} />
    }
    if (products.isError || filters.isError) return <Failed onRetry={retry} />
    return <div className={s.waiting}><Card><Skeleton lines={8} /></Card></div>
  }

  return (
    <>
      <div ref={place} tabIndex={-1}>{content()}</div>
      <Disclosure summary="Prepay Plan terms">
        {layout.plan_selection_terms.map((term) => <p key={term}>{term}</p>)}
      </Disclosure>
    </>
  )
}

function Failed({ onRetry }: { onRetry: () => void }) {
  return (
    <div role="alert">
      <Banner kind="bad" title="Our Prepay Plans didn’t load.">
        <p>Nothing you have entered is lost.</p>
        <Button kind="quiet" className={s.retry} onClick={onRetry}>Try again</Button>
      </Banner>
    </div>
  )
}
