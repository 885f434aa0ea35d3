import { useEffect, useEffectEvent } from 'react'
import { nonEmpty, pipe, string } from 'valibot'
import type { CardFormValues } from '#kit/contract/card.contract.ts'
import { decimalToCents } from '#kit/contract/money.ts'
import { useApi } from '#kit/web/api.tsx'
import { emptyCard } from '#kit/web/card/encrypted-card.ts'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { useQuery, useQueryClient } from '#kit/web/query/use-query.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import type { CardToken } from '#features/auth/auth.contract.ts'
import { CardChooser } from '#features/orders/web/CardChooser.tsx'
import { PurchaseForm } from '#features/orders/web/PurchaseForm.tsx'
import { SaveCard } from '#features/orders/web/SaveCard.tsx'
import { useCardChoice } from '#features/orders/web/use-card-choice.ts'
import { planMessages, type Product } from '#features/plans/plans.contract.ts'
import { toPlanChoice, type PlanChoice, plansOnOffer } from '#features/plans/web/plan-choice.ts'
import { planFiltersQuery, productsQuery, useShownPrice } from '#features/plans/web/plans.queries.ts'
import { reloadServices } from '#features/services/web/services.queries.ts'
import type { StartOption } from '../renewal.contract.ts'
import { AutoRenewalNotice } from './AutoRenewalNotice.tsx'
import { PaymentMethodTabs } from './PaymentMethodTabs.tsx'
import { PlanQuestion, type PlanOption } from './PlanQuestion.tsx'
import { RenewActions } from './RenewActions.tsx'
import { RenewalTotal } from './RenewalTotal.tsx'
import { findPreselectedPlan, isAutoRenewing, type RenewablePlan } from './renewable-plan.ts'
import { getDefaultStart, useRunningPlan } from './running-plan.ts'
import { StartQuestion } from './StartQuestion.tsx'
import { getDraftKey, useRenewal } from './use-renewal.ts'
import { cardConfirmationLabels, getCardRenewalLabel } from './renewal.labels.ts'
import * as layout from './start-choice.module.css'

type Values = PlanChoice & CardFormValues & { which: PlanOption; starts: StartOption; save_token: boolean }

const planFieldSchemas = { plan: pipe(string(), nonEmpty(planMessages.required)) }

export function CardRenewal({ plan, card }: { plan: RenewablePlan; card: CardToken | null }) {
  const { purchase, choice, plans, usual, chosen, running } = useCardRenewal(plan, card)
  const { form } = purchase
  return (
    <PurchaseForm purchase={purchase} words={cardConfirmationLabels}>
      <AutoRenewalNotice plan={plan} />
      <div className={layout.columns}>
        <div>
          <PlanQuestion form={form} plan={plan} plans={plans} usual={usual} />
          {running && !plan.change && <StartQuestion form={form} running={running} length={chosen?.length} />}
          <section className={layout.payment} aria-labelledby={`${form.id}payment`}>
            <h2 id={`${form.id}payment`}>Payment</h2>
            <PaymentMethodTabs shortId={plan.schedule.short_id} by="card" />
            <Card>
              <FormErrors form={form} />
              <CardChooser
                form={form}
                choice={choice}
                belowFields={<SaveCard form={form} replaces={card !== null} />}
              />
            </Card>
          </section>
        </div>
        <RenewalTotal
          phoneNumber={plan.service.phone_number}
          product={chosen}
          cents={chosen ? decimalToCents(chosen.price) : null}
          running={running}
          isDocked={!isAutoRenewing(plan)}
          starts={plan.change ? 'at_end' : form.values.starts}
        >
          <RenewActions form={form} plan={plan} disabled={!chosen}>
            {choice.usesSaved && card ? getCardRenewalLabel(card) : 'RENEW'}
          </RenewActions>
        </RenewalTotal>
      </div>
    </PurchaseForm>
  )
}

function useCardRenewal(plan: RenewablePlan, card: CardToken | null) {
  const [api, client] = [useApi(), useQueryClient()]
  const plans = usePlansOnOffer()
  const getShownPrice = useShownPrice()
  const runningPlan = useRunningPlan(plan)
  const cardChoice = useCardChoice(card, planFieldSchemas)
  const usual = plan.change ? undefined : plans && findPreselectedPlan(plans, plan.schedule)
  const emptyPlanChoice: PlanChoice = { plan: '', length: plan.schedule.product.length }
  const purchase = useRenewal<Values>(plan, {
    schema: cardChoice.schema,
    initial: {
      ...(usual ? toPlanChoice(usual) : emptyPlanChoice),
      ...emptyCard,
      which: 'usual',
      starts: getDefaultStart(runningPlan),
      save_token: true,
    },
    draftKey: getDraftKey(plan, 'card'),
    buys: (values) => findChosenPlan(values)?.unique_id ?? '',
    shows(values) {
      const shownProduct = getShownPrice(findChosenPlan(values))
      return (
        shownProduct && {
          ...shownProduct,
          onNewPrice(price) {
            shownProduct.onNewPrice(price)
            // The page's text about auto-renewal still shows the old price, so reload the services.
            return reloadServices(api, client).catch(() => {})
          },
        }
      )
    },
    body: async (values) => ({
      payment_method: '1',
      product: findChosenPlan(values)?.unique_id,
      ...(runningPlan && { starts: values.starts }),
      ...(!cardChoice.usesSaved && { save_token: values.save_token }),
      ...(await cardChoice.fieldsOf(values)),
    }),
  })
  const { form } = purchase

  /** Returns `undefined` if the form no longer shows the chosen plan, for example because the length changed. */
  function findChosenPlan({ which, plan: id, length }: PlanChoice & { which: PlanOption }): Product | undefined {
    if (usual && which === 'usual') return usual
    return plans?.find((each) => each.unique_id === id && each.length === length)
  }

  // If the plans load late, after a failure, prefill the form just as if they had loaded with the page.
  const prefillPlan = useEffectEvent(() => {
    if (usual && form.values.plan === '' && !form.isDirty('plan')) form.setMany(toPlanChoice(usual))
  })
  useEffect(() => {
    if (form.hydrated) prefillPlan()
  }, [form.hydrated, usual])

  return { purchase, choice: cardChoice, plans, usual, chosen: findChosenPlan(form.values), running: runningPlan }
}

function usePlansOnOffer(): Product[] | undefined {
  const api = useApi()
  const products = useQuery(productsQuery(api)).data
  const filters = useQuery(planFiltersQuery(api)).data
  return products && filters && plansOnOffer({ products, filters, newCustomers: false })
}
