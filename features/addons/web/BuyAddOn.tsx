import { useEffect, useRef } from 'react'
import { object } from 'valibot'
import type { FieldErrors } from '#kit/contract/errors.ts'
import { useApi } from '#kit/web/api.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { useQueryClient } from '#kit/web/query/use-query.tsx'
import { useNavigate, useRawLocation } from '#kit/web/router/location.ts'
import { PageTitle } from '#kit/web/widgets/Layout.tsx'
import { StepBar } from '#kit/web/widgets/StepBar.tsx'
import type { CardToken } from '#features/auth/auth.contract.ts'
import type { Product } from '#features/plans/plans.contract.ts'
import { productsQuery } from '#features/plans/web/plans.queries.ts'
import type { Service } from '#features/services/services.contract.ts'
import { addOnChoiceSchema } from '../addons.contract.ts'
import { AddOnChoice } from './AddOnChoice.tsx'
import { AddOnPayment } from './AddOnPayment.tsx'
import * as s from './addons.module.css'

type Props = { service: Service; addOns: readonly Product[]; card: CardToken | null }

const steps = ['Choose an Add-On', 'Payment']
const choiceSchema = object({ product: addOnChoiceSchema })

/**
 * Sells an add-on in two steps. The chosen add-on and the current step are kept in the query string, so they survive
 * Back and a reload.
 */
export function BuyAddOn({ service, addOns, card }: Props) {
  const api = useApi()
  const client = useQueryClient()
  const navigate = useNavigate()
  const addOnsPath = `/services/${service.uuid}/addons/`
  const searchParams = new URLSearchParams(useRawLocation().search)
  const chosenAddOn = addOns.find(({ unique_id }) => unique_id === searchParams.get('product'))
  const unpaidAddOn = searchParams.get('step') === 'payment' ? chosenAddOn : undefined
  const form = useForm({
    schema: choiceSchema,
    initial: { product: chosenAddOn?.unique_id ?? '' },
    draftKey: `addon-${service.uuid}`,
    async submit({ product }) {
      navigate(buildStepPath(product), { replace: true })
      navigate(buildStepPath(product, 'payment'))
    },
  })
  useFocusOnStepChange(unpaidAddOn !== undefined)

  function buildStepPath(product: string, step?: 'payment'): string {
    return `${addOnsPath}?${new URLSearchParams({ product, ...(step && { step }) })}`
  }

  function returnToChoice(errors: FieldErrors) {
    void client.refetchQuery(productsQuery(api))
    navigate(addOnsPath, { replace: true })
    form.set('product', '')
    form.setErrors(errors)
  }

  return (
    <>
      <StepBar steps={steps} current={unpaidAddOn ? 1 : 0} />
      <PageTitle lead={!unpaidAddOn && <LeadText of={service} />}>Purchase Add-Ons</PageTitle>
      {unpaidAddOn ? (
        <AddOnPayment
          key={unpaidAddOn.unique_id}
          service={service}
          addOn={unpaidAddOn}
          card={card}
          back={buildStepPath(unpaidAddOn.unique_id)}
          onBadChoice={returnToChoice}
        />
      ) : (
        <AddOnChoice form={form} addOns={addOns} back={`/services/${service.uuid}/`} />
      )}
    </>
  )
}

function useFocusOnStepChange(step: boolean): void {
  const shownStep = useRef(step)
  useEffect(() => {
    if (shownStep.current === step) return
    shownStep.current = step
    window.scrollTo({ top: 0, behavior: 'instant' })
    const heading = document.querySelector<HTMLElement>('main h1')
    if (!heading) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  }, [step])
}

const LeadText = ({ of }: { of: Service }) => (
  <span>
    For {of.phone_number}. <span className={s.whole}>Add-Ons</span> have their own expiry date, separate from your plan.
  </span>
)
